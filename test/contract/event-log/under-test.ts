import { randomUUID } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import type { AppendResult, EventLog, ExpectedRevision, NewEvent, StoredEvent } from '@charter/event-log';

/** Opens the log under test. The store of the log may be new, or may have other writers. */
export type Open = () => Promise<EventLog>;

/** Abilities that some stores lack. A test that needs a missing ability is skipped. */
export type Capabilities = Readonly<{
  /** Opens a log without events. EventStoreDB lacks this ability, because opening its log appends an event. */
  empty?: () => Promise<EventLog>;
  /** Closes this log and opens its store again. */
  reopen?: (log: EventLog) => Promise<EventLog>;
  /** Opens the store of this log a second time, as another process does. */
  beside?: (log: EventLog) => Promise<EventLog>;
  /** Makes the store stop answering appends, until the returned function is called. */
  freeze?: (log: EventLog) => Promise<() => Promise<void>>;
  /** Cuts the connections of this log once. */
  cut?: (log: EventLog) => Promise<void>;
  /** Positions are not consecutive numbers: at some positions no event begins. */
  sparse?: true;
}>;

/** The log, which is opened once for the whole suite, and the helpers of its tests. */
export type UnderTest = Readonly<{
  log: EventLog;
  open: Open;
  can: Capabilities;
  /** A stream name that was never used. The name begins with `family`, if given. */
  stream: (family?: string) => string;
  append: (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) => Promise<AppendResult>;
  /** The ids of all events of a stream. */
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

/** An event with a recognizable text. */
export const noted = (text: string | number, id: string = randomUUID()): NewEvent => ({
  id,
  type: 'Noted',
  data: { text },
});

export const several = (count: number): NewEvent[] => Array.from({ length: count }, (_, index) => noted(index));

// The text that `noted` put into the event.
export const textOf = ({ data }: StoredEvent) => (data as { text: string | number }).text;

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Repeats `check` while the work runs, and calls it once more after the work. */
export async function until(work: Promise<unknown>, check: () => Promise<void>): Promise<void> {
  const state = { atWork: true };
  const done = work.finally(() => (state.atWork = false));
  while (state.atWork) {
    await check();
    await breath();
  }
  await done;
  await check();
}

/** Resolves with the error with which the promise rejects. @throws if the promise does not reject */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => Promise.reject(new Error(`It did not fail, but answered ${String(value)}.`)),
    (error: unknown) => error,
  );

/** Registers a test only if the store has the ability. */
export const where = (capability: unknown): ((name: string, test: () => Promise<void>, timeout?: number) => void) =>
  capability ? it : () => undefined;
