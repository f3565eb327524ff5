import type { Moment } from '@charter/decider';
import { compareFacts, type BillingFact, type Hold, slotKey } from './fact';

/** One message of a subscription, at its place in the order of all messages. */
export type TimelineStep = Readonly<{
  fact: BillingFact;
  /**
   * The moment from which the message takes effect: its time, or one millisecond after the previous message if both
   * have one time.
   */
  at: Moment;
  /** All sales of the subscription after the message, by organization and slot. */
  held: ReadonlyMap<string, TimedHold>;
  /** The sales that this message ends. */
  ended: readonly TimedHold[];
}>;
type TimedHold = Readonly<{
  organization: string;
  hold: Hold;
  /** The message that contains the sale. */ by: TimelineStep['fact'];
}>;

/**
 * The history of a subscription in the order of the provider's times, independent of the order of arrival. Each message
 * states the whole content of the subscription after it. Of two messages of one moment, the message with the greater id
 * comes later (`decisions.md` 24) and takes effect one millisecond later. Otherwise an end in one message would cancel
 * a sale in the other.
 */
export function timelineOf(facts: readonly BillingFact[]): readonly TimelineStep[] {
  const steps: TimelineStep[] = [];
  for (const fact of facts.filter(({ isWhole }) => isWhole).toSorted(compareFacts)) {
    const before = steps.at(-1);
    const held = heldBy(fact, before?.held ?? new Map<string, TimedHold>());
    const ended = [...(before?.held ?? [])].filter(([key]) => !held.has(key)).map(([, was]) => was);
    const at = before && before.at >= fact.time ? millisecondAfter(before.at) : fact.time;
    steps.push({ fact, at, held, ended });
  }
  return steps;
}

/** All sales in force after a message. */
function heldBy(fact: BillingFact, before: ReadonlyMap<string, TimedHold>): ReadonlyMap<string, TimedHold> {
  const { organization, holds } = fact;
  const own = organization === undefined ? [] : holds.map((hold) => ({ organization, hold, by: fact }));
  const remaining = [...before].filter(([, was]) => mayStillHold(fact, was.hold));
  return new Map([...remaining, ...own.map((held) => [timedHoldKey(held), held] as const)]);
}

/**
 * Whether an earlier sale may continue after this message, which may have unknown content. A message ends no sale if
 * its organization is unknown or if it shows only some of its items. If one of its items is unknown, it ends no plan
 * and no earlier sale of that item. A dismissed message ends no sale; the next message ends the sales that were already
 * applied from it.
 */
export function mayStillHold({ organization, unknown, isPartial, dismissed }: BillingFact, before: Hold): boolean {
  const isUnsure = organization === undefined || isPartial === true || dismissed === 'all';
  return (
    isUnsure || (unknown.length > 0 && (before.kind === 'plan' || unknown.some(({ item }) => item === before.item)))
  );
}

const timedHoldKey = ({ organization, hold }: Pick<TimedHold, 'organization' | 'hold'>): string =>
  `${organization} ${slotKey(hold)}`;

const millisecondAfter = (moment: Moment) => new Date(Date.parse(moment) + 1).toISOString();
