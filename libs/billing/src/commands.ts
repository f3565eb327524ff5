import type { Moment } from '@charter/decider';
import type { OrganizationCommand } from '@charter/organization';
import { timelineOf, type TimelineStep } from './fact-history';
import { type BillingFact, type Hold, type SaleSlot, slotKey, slotOf } from './fact';
import { isComplete } from './waiting-messages';

/** A command that a message causes, with the parts of the command context that the message determines. */
export type BillingCommand = Readonly<{
  organization: string;
  command: OrganizationCommand;
  context: Readonly<{
    /** The command's id. Each computation gives an equal id, so that the command is executed once. */
    command: string;
    /** The provider's id of the message. It is also the causation (`decisions.md` 24). */
    message: string;
    causation: string;
  }>;
}>;

/** Derives a UUID from a name (RFC 9562, version 5, in a namespace of the caller). */
export type UuidOf = (name: string) => string;

/**
 * The commands that a message causes, and the corrections of later messages. A message may arrive late. Then the next
 * message must end every sale that the late message held and the next message does not hold.
 * Call it after this message was stored, with the other messages read after that. Then every order of arrival leads to
 * one result, even with parallel processes: of two neighbouring messages, at least one sees the other.
 * @param others the facts of all other messages of the subscription, with any outcome
 */
export function commandsFor(
  fact: BillingFact,
  others: readonly BillingFact[],
  uuid: UuidOf,
): readonly BillingCommand[] {
  if (fact.dismissed === 'all') return [];
  if (!fact.isWhole) return ownCommands({ fact, at: fact.time }, uuid);
  const timeline = timelineOf([...others.filter(({ id }) => id !== fact.id), fact]);
  const own = timeline.findIndex((step) => step.fact === fact);
  return [...ownCommands(timeline[own]!, uuid), ...correctionsAfter(timeline.slice(own), uuid)];
}

/** The commands of later messages that change, up to the first complete message of another moment. */
function correctionsAfter([, ...after]: readonly TimelineStep[], uuid: UuidOf): readonly BillingCommand[] {
  const last = after.findIndex(({ fact, at }) => at === fact.time && isComplete(fact));
  const near = last < 0 ? after : after.slice(0, last + 1);
  return near.flatMap((step) => (step.at === step.fact.time ? endsOf(step, uuid) : ownCommands(step, uuid)));
}

/**
 * All commands of a message. The ends come first, because a plan may have moved from one organization to another. A
 * dismissed message only ends the sales that its neighbours require it to end.
 */
const ownCommands = (
  step: Pick<TimelineStep, 'fact' | 'at'> & Partial<TimelineStep>,
  uuid: UuidOf,
): readonly BillingCommand[] => [
  ...endsOf(step, uuid),
  ...(isSilent(step.fact) ? [] : step.fact.holds).map((hold) => saleCommand(step, hold, uuid)),
];

const isSilent = ({ organization, dismissed }: BillingFact) => organization === undefined || dismissed !== undefined;

function endsOf(
  step: Pick<TimelineStep, 'fact' | 'at'> & Partial<TimelineStep>,
  uuid: UuidOf,
): readonly BillingCommand[] {
  const { organization, ends } = step.fact;
  const stated = isSilent(step.fact) ? [] : ends.map((slot) => ({ organization: organization!, slot }));
  const followed = (step.ended ?? []).map(({ organization: holder, hold }) => ({
    organization: holder,
    slot: slotOf(hold),
  }));
  const all = new Map([...stated, ...followed].map((end) => [`${end.organization} ${slotKey(end.slot)}`, end]));
  return [...all.values()].map((end) => endCommand(step, end.organization, end.slot, uuid));
}

function saleCommand({ fact, at }: Pick<TimelineStep, 'fact' | 'at'>, hold: Hold, uuid: UuidOf): BillingCommand {
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
    context: contextOf(fact, ['sold', slotKey(hold), at, whatOf(hold)], uuid),
  };
}

function endCommand(
  { fact, at }: Pick<TimelineStep, 'fact' | 'at'>,
  organization: string,
  slot: SaleSlot,
  uuid: UuidOf,
): BillingCommand {
  const from = effective(fact, at);
  const command: OrganizationCommand =
    slot.kind === 'plan'
      ? { type: 'EndPlan', data: { line: slot.line, ...from } }
      : { type: 'CancelAddOn', data: { purchase: slot.purchase, ...from } };
  return { organization, command, context: contextOf(fact, ['ended', slotKey(slot), at], uuid) };
}

const whatOf = (hold: Hold) => (hold.kind === 'plan' ? hold.plan : `${hold.quantity} ${hold.addOn}`);

const effective = ({ subscription }: BillingFact, effectiveAt: Moment) => ({
  effectiveAt,
  ...(subscription !== undefined && { subscription }),
});

const contextOf = (
  { provider, id }: BillingFact,
  slot: readonly string[],
  uuid: UuidOf,
): BillingCommand['context'] => ({
  command: uuid(JSON.stringify([provider, id, ...slot])),
  message: id,
  causation: id,
});
