import { randomUUID } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import type { AppendResult, EventLog, ExpectedRevision, NewEvent, StoredEvent } from '@charter/event-log';

/** Opens a store that is new, or one in which others write too. */
export type Open = () => Promise<EventLog>;

/** What not every store can be made to do. Tests that need one of them are left out where it is missing. */
export type Capabilities = Readonly<{
  /** Closes this log and opens its store once more. */
  reopen?: (log: EventLog) => Promise<EventLog>;
  /** Opens the store of this log a second time, as another process would. */
  beside?: (log: EventLog) => Promise<EventLog>;
  /** Makes the store stop answering appends, until the answer is called. */
  freeze?: (log: EventLog) => Promise<() => Promise<void>>;
  /** Cuts the connections of this log once. */
  cut?: (log: EventLog) => Promise<void>;
  /** Positions that lie between two events exist, because positions are no count. */
  sparse?: true;
}>;

/** The log, opened once for the whole suite, and what the tests say to it. */
export type UnderTest = Readonly<{
  log: EventLog;
  open: Open;
  can: Capabilities;
  /** A name that was never used. `family` makes a prefix of its own. */
  stream: (family?: string) => string;
  append: (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => Promise<AppendResult>;
  /** Everything in a stream, by its ids. */
  ids: (stream: string) => Promise<string[]>;
}>;

export function underTest(open: Open, can: Capabilities): UnderTest {
  const family = `contract-${randomUUID()}`;
  let log: EventLog;
  let streams = 0;
  beforeAll(async () => void (log = await open()));
  afterAll(() => log.close());
  return {
    get log() {
      return log;
    },
    open,
    can,
    stream: (of = family) => `${of}-${++streams}`,
    append: (stream, expected, events) => log.append(stream, events, { expected }),
    ids: async (stream) => (await all(log.readStream(stream))).map(({ id }) => id),
  };
}

export const family = () => `contract-${randomUUID()}`;

/** An event that says which it is. */
export const noted = (text: string | number, id: string = randomUUID()): NewEvent => ({
  id,
  type: 'Noted',
  data: { text },
});

export const several = (count: number): NewEvent[] => Array.from({ length: count }, (_, index) => noted(index));

export const textOf = ({ data }: StoredEvent) => (data as { text: string | number }).text; // as `noted` wrote it

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Looks again and again while the work is under way, and once more when it is done. */
export async function until(work: Promise<unknown>, look: () => Promise<void>): Promise<void> {
  const state = { atWork: true };
  const done = work.finally(() => (state.atWork = false));
  while (state.atWork) {
    await look();
    await breath();
  }
  await done;
  await look();
}

/** What a promise is rejected with. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => Promise.reject(new Error(`It did not fail, but answered ${String(value)}.`)),
    (error: unknown) => error,
  );

/** Registers the test where the store can do what it takes. */
export const where = (capability: unknown): ((name: string, test: () => Promise<void>, timeout?: number) => void) =>
  capability ? it : () => undefined;
