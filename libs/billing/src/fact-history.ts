import type { Moment } from '@charter/decider';
import { compareFacts, type BillingFact, type Hold, slotKey } from './fact';

/** One message of a subscription at its place among the others. */
export type TimelineStep = Readonly<{
  fact: BillingFact;
  /** From when it counts: its time, or a millisecond after the message before it that carries the same time. */
  at: Moment;
  /** All that the subscription holds from then on, by organization and place. */
  held: ReadonlyMap<string, TimedHold>;
  /** What it held until then and does not hold any more. */
  ended: readonly TimedHold[];
}>;
type TimedHold = Readonly<{
  organization: string;
  hold: Hold;
  /** The message that said so. */ by: TimelineStep['fact'];
}>;

/**
 * What a subscription went through, in the order of the provider's times, whatever order its messages came in: each says all
 * that the subscription holds from then on. Of two of one moment, the one with the greater id comes later
 * (`decisions.md` 24), and counts a millisecond later: else the end that one of them brings would beat what the other says.
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

/** What a message leaves in force. */
function heldBy(fact: BillingFact, before: ReadonlyMap<string, TimedHold>): ReadonlyMap<string, TimedHold> {
  const { organization, holds } = fact;
  const own = organization === undefined ? [] : holds.map((hold) => ({ organization, hold, by: fact }));
  const left = [...before].filter(([, was]) => mayStillHold(fact, was.hold));
  return new Map([...left, ...own.map((held) => [timedHoldKey(held), held] as const)]);
}

/**
 * As long as nobody knows what a message says, it takes nothing away: nothing, as long as nobody knows whom it is about or what
 * else it holds; no plan, and nothing that the same item brought before, as long as it has an item that names nothing. Neither
 * does one that was dismissed; what was told of it ends with the next one.
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
