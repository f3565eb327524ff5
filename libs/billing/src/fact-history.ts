import { type Moment, momentAt } from '@charter/decider';
import { compareFacts, type BillingFact, type Hold, slotKey } from './fact';

/** A message about a subscription, and the effect that the message has after all earlier messages. */
export type TimelineStep = Readonly<{
  fact: BillingFact;
  /**
   * The moment from which the message takes effect: the message's own time. If the previous message has the same time
   * and different content, the moment is one millisecond after that message.
   */
  at: Moment;
  /**
   * The ids of neighbouring messages with the same moment and content. Neighbouring messages with the same moment and
   * content take effect once, together.
   */
  sameMessages: readonly string[];
  /**
   * All sales of the subscription that are in force after the message; the map's keys contain organization and slot.
   */
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
 * The messages of a subscription in the order of the provider's times, whatever the order of arrival. Each message
 * states the whole content that the subscription has after the message. Of two messages with the same time, the message
 * with the greater id is the later message (`decisions.md` 24). The later message takes effect one millisecond later,
 * so that an end in one message does not cancel a sale in the other message. Neighbours with the same time and content
 * take effect together.
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

/** For each message, the group of neighbours with the same time and content. */
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
 * Whether two messages have the same time and content. While one of the messages has unknown items, the two messages
 * count as equal if the unknown items may explain each difference. If unknown items made two messages differ, a message
 * would move to an earlier moment when the catalogue later contains its unknown items.
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
 * Whether an earlier sale may continue after this message. A message ends no sale if the message names no known
 * organization, or does not show all items. If one of the message's items is unknown, the message ends no plan and no
 * earlier sale of that item. A dismissed message ends no sale. If Charter has already applied some sales of the
 * dismissed message, the next message ends these sales.
 */
export function mayStillHold({ organization, unknown, isPartial, dismissed }: BillingFact, before: Hold): boolean {
  const isUnsure = organization === undefined || isPartial === true || dismissed === 'all';
  return (
    isUnsure || (unknown.length > 0 && (before.kind === 'plan' || unknown.some(({ item }) => item === before.item)))
  );
}

const timedHoldKey = ({ organization, hold }: Pick<TimedHold, 'organization' | 'hold'>): string =>
  `${organization} ${slotKey(hold)}`;

const millisecondAfter = (moment: Moment) => momentAt(Date.parse(moment) + 1);
