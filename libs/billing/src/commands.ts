import type { Moment } from '@charter/decider';
import type { OrganizationCommand } from '@charter/organization';
import { timelineOf, type TimelineStep } from './fact-history';
import { type BillingFact, type Hold, type SaleSlot, slotKey, slotOf } from './fact';
import { isComplete } from './waiting-messages';

/** A command that a message causes, and the parts of its context that come from the message. */
export type BillingCommand = Readonly<{
  organization: string;
  command: OrganizationCommand;
  context: Readonly<{
    /**
     * The command's id. Each computation for the same message gives the same id, so that Charter executes the command
     * only once.
     */
    command: string;
    /**
     * The id that the provider gave to the message. The provider's id is also the causation of the events
     * (`decisions.md` 24).
     */
    message: string;
    causation: string;
    /**
     * Whether another message with the same subscription, moment and content counts as a repetition of this message.
     * True for a message that states the whole subscription, because `timelineOf` gives different moments to such
     * messages with different content.
     */
    mergesEqualMessages: boolean;
  }>;
}>;

/**
 * Derives a UUID from a name (RFC 9562, version 5). The caller of `commandsFor` passes this function, and so chooses
 * the namespace.
 */
export type UuidOf = (name: string) => string;

/**
 * The commands that a message causes, and the commands that correct the effect of later messages. If a message arrives
 * late, Charter has already applied newer messages. The next newer message must then end each sale that only the late
 * message contains. The caller stores the message before it reads the other messages, so of two processes with
 * neighbouring messages, at least one finds the other message. Every order of arrival therefore gives the same result.
 * @param others the facts of all other messages about the subscription, whatever the outcomes of these messages
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

/**
 * The commands of the later messages whose effect the message of the first step may change. The function returns the
 * messages up to and including the first complete message that takes effect at its own time.
 */
function correctionsAfter([, ...after]: readonly TimelineStep[], uuid: UuidOf): readonly BillingCommand[] {
  const last = after.findIndex(({ fact, at }) => at === fact.time && isComplete(fact));
  const near = last < 0 ? after : after.slice(0, last + 1);
  return near.flatMap((step) => (step.at === step.fact.time ? endsOf(step, uuid) : ownCommands(step, uuid)));
}

/**
 * All commands that a message causes. The commands that end sales come first, because a plan may move from one
 * organization to another. A dismissed message sells nothing; it only ends sales of earlier messages that must end at
 * its time.
 */
const ownCommands = (step: OwnStep, uuid: UuidOf): readonly BillingCommand[] => [
  ...endsOf(step, uuid),
  ...(isSilent(step.fact) ? [] : step.fact.holds).map((hold) => saleCommand(step, hold, uuid)),
];

type OwnStep = Pick<TimelineStep, 'fact' | 'at'> & Partial<TimelineStep>;

const isSilent = ({ organization, dismissed }: BillingFact) => organization === undefined || dismissed !== undefined;

function endsOf(step: OwnStep, uuid: UuidOf): readonly BillingCommand[] {
  const { organization, ends } = step.fact;
  const stated = isSilent(step.fact) ? [] : ends.map((slot) => ({ organization: organization!, slot }));
  const followed = (step.ended ?? []).map(({ organization: holder, hold }) => ({
    organization: holder,
    slot: slotOf(hold),
  }));
  const all = new Map([...stated, ...followed].map((end) => [`${end.organization} ${slotKey(end.slot)}`, end]));
  return [...all.values()].map((end) => endCommand(step, end.organization, end.slot, uuid));
}

function saleCommand(step: OwnStep, hold: Hold, uuid: UuidOf): BillingCommand {
  const { fact, at } = step;
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
    context: contextOf(step, ['sold', slotKey(hold), at, whatOf(hold)], uuid),
  };
}

function endCommand(step: OwnStep, organization: string, slot: SaleSlot, uuid: UuidOf): BillingCommand {
  const { fact, at } = step;
  const from = effective(fact, at);
  const command: OrganizationCommand =
    slot.kind === 'plan'
      ? { type: 'EndPlan', data: { line: slot.line, ...from } }
      : { type: 'CancelAddOn', data: { purchase: slot.purchase, ...from } };
  // One message may end one slot in two organizations, so the name contains the other organization.
  const otherOrganization = organization === fact.organization ? [] : [organization];
  return { organization, command, context: contextOf(step, ['ended', slotKey(slot), at, ...otherOrganization], uuid) };
}

const whatOf = (hold: Hold) => (hold.kind === 'plan' ? hold.plan : `${hold.quantity} ${hold.addOn}`);

const effective = ({ subscription }: BillingFact, effectiveAt: Moment) => ({
  effectiveAt,
  ...(subscription !== undefined && { subscription }),
});

const contextOf = (
  { fact: { provider, id, isWhole } }: OwnStep,
  slot: readonly string[],
  uuid: UuidOf,
): BillingCommand['context'] => ({
  command: uuid(JSON.stringify([provider, id, ...slot])),
  message: id,
  causation: id,
  mergesEqualMessages: isWhole,
});
