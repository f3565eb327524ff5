import type { BillingCommand, BillingFact } from '@charter/billing';
import { allEntries } from '@charter/organization';
import { founded, commandsOf, receive, execute, type DeliveryState } from '../deliveries';

/** The progress of one message: how often it may still arrive, whether it was applied, and its pending commands. */
type Progress = Readonly<{
  left: number;
  isDone: boolean;
  /**
   * Undefined if no process handles the message; `received` if the message is stored and no process has read it yet.
   */
  pending: undefined | 'received' | readonly BillingCommand[];
}>;
type Node = Readonly<{ state: DeliveryState; progress: readonly Progress[] }>;

/**
 * `whole`: each message is applied before the next message arrives. `steps`: several processes work at once, and each
 * may crash.
 */
export type Pace = 'whole' | 'steps';

/**
 * Tries every order in which the messages can arrive and be applied; each message arrives up to `times` times. A point
 * is the part of the state that the rules can read, without the revisions of events. The search visits each point once.
 * @returns the number of points, and every state in which all messages are applied
 */
export function everyOrder(
  facts: readonly BillingFact[],
  times: number,
  pace: Pace,
): { points: number; ends: readonly DeliveryState[] } {
  const seen = new Set<string>();
  const ends = new Map<string, DeliveryState>();
  const open: Node[] = [
    { state: founded, progress: facts.map(() => ({ left: times, isDone: false, pending: undefined })) },
  ];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const key = keyOf(node, facts);
    if (seen.has(key)) continue;
    seen.add(key);
    if (node.progress.every(({ isDone, pending }) => isDone && pending === undefined))
      ends.set(newsIn(node.state), node.state);
    open.push(...(pace === 'whole' ? wholeFrom(node, facts) : stepsFrom(node, facts)));
  }
  return { points: seen.size, ends: [...ends.values()] };
}

const wholeFrom = ({ state, progress }: Node, facts: readonly BillingFact[]): Node[] =>
  progress.flatMap(({ left }, index) => {
    if (left === 0) return [];
    const received = receive(state, facts[index]!);
    const applied = commandsOf(received, facts[index]!).reduce(execute, received);
    return [{ state: applied, progress: progress.with(index, { left: left - 1, isDone: true, pending: undefined }) }];
  });

const stepsFrom = ({ state, progress }: Node, facts: readonly BillingFact[]): Node[] =>
  progress.flatMap((message, index): Node[] => {
    const { left, isDone, pending } = message;
    const fact = facts[index]!;
    const next = (to: DeliveryState, now: Progress): Node => ({ state: to, progress: progress.with(index, now) });
    if (pending === undefined)
      return left === 0 ? [] : [next(receive(state, fact), { left: left - 1, isDone, pending: 'received' })];
    const crashed = left > 0 ? [next(state, { left, isDone, pending: undefined })] : [];
    if (pending === 'received') return [...crashed, next(state, { ...message, pending: commandsOf(state, fact) })];
    const [command, ...more] = pending;
    if (!command) return [next(state, { left, isDone: true, pending: undefined })];
    return [...crashed, next(execute(state, command), { ...message, pending: more })];
  });

const keyOf = ({ state, progress }: Node, facts: readonly BillingFact[]) =>
  [
    ...progress.map(({ left, isDone, pending }) =>
      [
        left,
        isDone,
        typeof pending === 'object' ? pending.map(({ context }) => context.command).join() : pending,
      ].join(),
    ),
    facts.map(({ id }) => state.inbox.some((known) => known.id === id)).join(),
    [...state.answered].toSorted().join(),
    newsIn(state),
  ].join('\n');

/** Everything that the state stores from billing, as a text that does not depend on the order of events. */
const newsIn = ({ organization: { plans, purchases } }: DeliveryState): string =>
  [...Object.entries(plans), ...Object.entries(purchases)]
    .flatMap(([place, news]) =>
      allEntries<object>(news).map(({ effectiveAt, message, what }) =>
        [place, effectiveAt, message, nameOf(what)].join(' '),
      ),
    )
    .toSorted()
    .join('\n');

const nameOf = (what: object | null) =>
  what === null
    ? 'ended'
    : 'plan' in what
      ? what.plan
      : 'addOn' in what && 'quantity' in what && [what.addOn, what.quantity];
