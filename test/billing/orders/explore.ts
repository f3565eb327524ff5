import type { BillingCommand, BillingFact } from '@charter/billing';
import { founded, commandsOf, receive, execute, type DeliveryState } from '../deliveries';

/** Where one message stands: how often it may still come, whether it was once applied whole, and what a process is telling. */
type Course = Readonly<{
  left: number;
  isDone: boolean;
  /** Undefined: nobody is at it. `received`: it is stored, and nobody has looked yet. */
  doing: undefined | 'received' | readonly BillingCommand[];
}>;
type Node = Readonly<{ world: DeliveryState; courses: readonly Course[] }>;

/** `whole`: a message is applied before the next one comes. `steps`: several processes are at it, and any of them may die. */
export type Pace = 'whole' | 'steps';

/**
 * Every order in which messages can come and be applied, each up to so many times. What comes to the same point by two ways is
 * gone on from once: a point is all that the rules can know, apart from the numbers of events.
 * @returns how many points there are, and every world in which all was applied
 */
export function everyWay(
  facts: readonly BillingFact[],
  times: number,
  pace: Pace,
): { points: number; ends: readonly DeliveryState[] } {
  const seen = new Set<string>();
  const ends = new Map<string, DeliveryState>();
  const open: Node[] = [
    { world: founded, courses: facts.map(() => ({ left: times, isDone: false, doing: undefined })) },
  ];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const key = keyOf(node, facts);
    if (seen.has(key)) continue;
    seen.add(key);
    if (node.courses.every(({ isDone, doing }) => isDone && doing === undefined))
      ends.set(newsIn(node.world), node.world);
    open.push(...(pace === 'whole' ? wholeFrom(node, facts) : stepsFrom(node, facts)));
  }
  return { points: seen.size, ends: [...ends.values()] };
}

const wholeFrom = ({ world, courses }: Node, facts: readonly BillingFact[]): Node[] =>
  courses.flatMap(({ left }, index) => {
    if (left === 0) return [];
    const received = receive(world, facts[index]!);
    const told = commandsOf(received, facts[index]!).reduce(execute, received);
    return [{ world: told, courses: courses.with(index, { left: left - 1, isDone: true, doing: undefined }) }];
  });

const stepsFrom = ({ world, courses }: Node, facts: readonly BillingFact[]): Node[] =>
  courses.flatMap((course, index): Node[] => {
    const { left, isDone, doing } = course;
    const fact = facts[index]!;
    const next = (to: DeliveryState, now: Course): Node => ({ world: to, courses: courses.with(index, now) });
    if (doing === undefined)
      return left === 0 ? [] : [next(receive(world, fact), { left: left - 1, isDone, doing: 'received' })];
    const dies = left > 0 ? [next(world, { left, isDone, doing: undefined })] : [];
    if (doing === 'received') return [...dies, next(world, { ...course, doing: commandsOf(world, fact) })];
    const [command, ...more] = doing;
    if (!command) return [next(world, { left, isDone: true, doing: undefined })];
    return [...dies, next(execute(world, command), { ...course, doing: more })];
  });

const keyOf = ({ world, courses }: Node, facts: readonly BillingFact[]) =>
  [
    ...courses.map(({ left, isDone, doing }) =>
      [left, isDone, typeof doing === 'object' ? doing.map(({ context }) => context.command).join() : doing].join(),
    ),
    facts.map(({ id }) => world.inbox.some((known) => known.id === id)).join(),
    [...world.answered].toSorted().join(),
    newsIn(world),
  ].join('\n');

/** All that the state keeps of billing's news, in one order. */
const newsIn = ({ organization: { plans, purchases } }: DeliveryState): string =>
  [...Object.entries(plans), ...Object.entries(purchases)]
    .flatMap(([place, news]) =>
      news.map(({ effectiveAt, message, what }) => [place, effectiveAt, message, nameOf(what)].join(' ')),
    )
    .toSorted()
    .join('\n');

const nameOf = (what: object | null) =>
  what === null
    ? 'ended'
    : 'plan' in what
      ? what.plan
      : 'addOn' in what && 'quantity' in what && [what.addOn, what.quantity];
