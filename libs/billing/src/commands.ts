import type { Moment } from '@charter/decider';
import type { OrganizationCommand } from '@charter/organization';
import { timelineOf, type TimelineStep } from './fact-history';
import { type BillingFact, type Hold, type SaleSlot, slotKey, slotOf } from './fact';
import { isComplete } from './waiting-messages';

/** A command that a message brings, and the parts of its envelope that the message decides. */
export type BillingCommand = Readonly<{
  organization: string;
  command: OrganizationCommand;
  context: Readonly<{
    /** The command's id, the same whenever and wherever this is worked out again: it happens once. */
    command: string;
    /** The provider's id of the message, which is also the causation (`decisions.md` 24). */
    message: string;
    causation: string;
  }>;
}>;

/** Makes a UUID from a name, the same one every time (RFC 9562, version 5, in a namespace of the caller's). */
export type UuidOf = (name: string) => string;

/**
 * What a message tells its organization, and what it changes about the messages that follow it, for it may come late: the
 * next one ends what this one held and that one does not. Look at the others once this one is stored, and every order, also at
 * the same time and in several processes, tells the same in the end: of two neighbours, one sees the other.
 * @param others the facts of all other messages of its subscription, whatever became of them
 */
export function commandsFor(
  fact: BillingFact,
  others: readonly BillingFact[],
  uuid: UuidOf,
): readonly BillingCommand[] {
  if (fact.dismissed === 'all') return [];
  if (!fact.isWhole) return ownCommands({ fact, at: fact.time }, uuid);
  const course = timelineOf([...others.filter(({ id }) => id !== fact.id), fact]);
  const own = course.findIndex((step) => step.fact === fact);
  return [...ownCommands(course[own]!, uuid), ...followers(course.slice(own), uuid)];
}

/** What the messages after it say differently because of it: up to the first one of another moment that is sure of all. */
function followers([, ...after]: readonly TimelineStep[], uuid: UuidOf): readonly BillingCommand[] {
  const last = after.findIndex(({ fact, at }) => at === fact.time && isComplete(fact));
  const near = last < 0 ? after : after.slice(0, last + 1);
  return near.flatMap((step) => (step.at === step.fact.time ? endsOf(step, uuid) : ownCommands(step, uuid)));
}

/**
 * All that a message says: what it ends first, for one organization's plan may have become another's. Of one that was
 * dismissed, what its neighbours need alone.
 */
const ownCommands = (
  step: Pick<TimelineStep, 'fact' | 'at'> & Partial<TimelineStep>,
  uuid: UuidOf,
): readonly BillingCommand[] => [
  ...endsOf(step, uuid),
  ...(isSilent(step.fact) ? [] : step.fact.holds).map((hold) => sold(step, hold, uuid)),
];

const isSilent = ({ organization, dismissed }: BillingFact) => organization === undefined || dismissed !== undefined;

function endsOf(
  step: Pick<TimelineStep, 'fact' | 'at'> & Partial<TimelineStep>,
  uuid: UuidOf,
): readonly BillingCommand[] {
  const { organization, ends } = step.fact;
  const said = isSilent(step.fact) ? [] : ends.map((place) => ({ organization: organization!, place }));
  const followed = (step.ended ?? []).map(({ organization: whose, hold }) => ({
    organization: whose,
    place: slotOf(hold),
  }));
  const all = new Map([...said, ...followed].map((end) => [`${end.organization} ${slotKey(end.place)}`, end]));
  return [...all.values()].map((end) => ended(step, end.organization, end.place, uuid));
}

function sold({ fact, at }: Pick<TimelineStep, 'fact' | 'at'>, hold: Hold, uuid: UuidOf): BillingCommand {
  const from = effective(fact, at);
  const command: OrganizationCommand =
    hold.kind === 'plan'
      ? { type: 'AssignPlan', data: { line: hold.line, plan: hold.plan, ...from } }
      : {
          type: 'PurchaseAddOn',
          data: { addOn: hold.addOn, quantity: hold.quantity, purchase: hold.purchase, ...from },
        };
  return {
    organization: fact.organization!,
    command,
    context: byOf(fact, ['sold', slotKey(hold), at, whatOf(hold)], uuid),
  };
}

function ended(
  { fact, at }: Pick<TimelineStep, 'fact' | 'at'>,
  organization: string,
  place: SaleSlot,
  uuid: UuidOf,
): BillingCommand {
  const from = effective(fact, at);
  const command: OrganizationCommand =
    place.kind === 'plan'
      ? { type: 'EndPlan', data: { line: place.line, ...from } }
      : { type: 'CancelAddOn', data: { purchase: place.purchase, ...from } };
  return { organization, command, context: byOf(fact, ['ended', slotKey(place), at], uuid) };
}

const whatOf = (hold: Hold) => (hold.kind === 'plan' ? hold.plan : `${hold.quantity} ${hold.addOn}`);

const effective = ({ subscription }: BillingFact, effectiveAt: Moment) => ({
  effectiveAt,
  ...(subscription !== undefined && { subscription }),
});

const byOf = ({ provider, id }: BillingFact, place: readonly string[], uuid: UuidOf): BillingCommand['context'] => ({
  command: uuid(JSON.stringify([provider, id, ...place])),
  message: id,
  causation: id,
});
