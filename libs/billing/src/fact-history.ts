import type { Moment } from '@charter/decider';
import { compareFacts, type BillingFact, type Hold, slotKey } from './fact';

/** One message of a subscription, at its place in the order of all messages. */
export type TimelineStep = Readonly<{
  fact: BillingFact;
  /**
   * The moment from which the message takes effect: its time, or one millisecond after the previous message if both
   * have one time and other content.
   */
  at: Moment;
  /** The other messages of this moment with equal content, next to it in order. Together they take effect once. */
  sameMessages: readonly string[];
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
 * a sale in the other. Neighbours with one moment and one content take effect together.
 */
export function timelineOf(facts: readonly BillingFact[]): readonly TimelineStep[] {
  const steps: TimelineStep[] = [];
  const sorted = facts.filter(({ isWhole }) => isWhole).toSorted(compareFacts);
  const sameMomentAndContent = neighbourGroups(sorted);
  for (const fact of sorted) {
    const before = steps.at(-1);
    const held = heldBy(fact, before?.held ?? new Map<string, TimedHold>());
    const ended = [...(before?.held ?? [])].filter(([key]) => !held.has(key)).map(([, was]) => was);
    const same = sameMomentAndContent.get(fact)!;
    const at =
      !before || before.at < fact.time
        ? fact.time
        : same.includes(before.fact)
          ? before.at
          : millisecondAfter(before.at);
    steps.push({ fact, at, sameMessages: same.map(({ id }) => id).filter((id) => id !== fact.id), held, ended });
  }
  return steps;
}

/** Neighbours in the order of the messages that have one moment and one content. */
function neighbourGroups(sorted: readonly BillingFact[]): ReadonlyMap<BillingFact, readonly BillingFact[]> {
  const groups = new Map<BillingFact, BillingFact[]>();
  let group: BillingFact[] = [];
  for (const fact of sorted) {
    if (!group.every((other) => isSameContent(other, fact))) group = [];
    group.push(fact);
    groups.set(fact, group);
  }
  return groups;
}

/**
 * Whether two messages have one moment and one content. While a part of one is unknown, they may have. So the moment of
 * a message never becomes earlier when its unknown items are found.
 */
function isSameContent(one: BillingFact, other: BillingFact): boolean {
  const restOf = ({ time, ends, isPartial, dismissed }: BillingFact) =>
    JSON.stringify([time, ends, isPartial, dismissed]);
  const isUnsure = one.unknown.length + other.unknown.length > 0;
  const mayBeIn = (fact: BillingFact, hold: Hold) =>
    fact.unknown.some(({ item }) => item === hold.item) ||
    fact.holds.some((known) =>
      known.item === hold.item
        ? JSON.stringify(known) === JSON.stringify(hold)
        : isUnsure && slotKey(known) === slotKey(hold),
    );
  return (
    restOf(one) === restOf(other) &&
    (one.organization ?? other.organization) === (other.organization ?? one.organization) &&
    one.holds.every((hold) => mayBeIn(other, hold)) &&
    other.holds.every((hold) => mayBeIn(one, hold))
  );
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
