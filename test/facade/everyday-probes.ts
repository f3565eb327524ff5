import { jsonEvent } from '@eventstore/db-client';
import {
  appending,
  conflict,
  deleted,
  done,
  type Expected,
  failing,
  failureIn,
  fresh,
  json,
  type Probe,
  type Probing,
  read,
  revisions,
  several,
  written,
} from './probes';

const firstOf = (revision: number) => done({ nextExpectedRevision: BigInt(revision) });
const missing = failing('stream-not-found');
const backwards = { direction: 'backwards', fromRevision: 'end' };
const asText = ({ revision }: { revision: bigint }) => `${revision}`;

/** Ordinary appends, reads, tombstones and subscriptions. With `EVENTSTORE_URL`, these probes call a real server. */
export const everydayProbes: readonly Probe[] = [
  ...(['any', 'no_stream'] as const).flatMap((expected) =>
    appending(`A first append that expects ${expected}`, (append) => append(fresh(), several(3), expected), firstOf(2)),
  ),
  ...(['any', 'stream_exists', 4n] as const).flatMap((expected) =>
    appending(
      `A further append that expects ${expected}`,
      async (append, given) => append((await written(given)).stream, [json()], expected),
      firstOf(5),
    ),
  ),
  ...(['any', 'no_stream', 'stream_exists'] as const satisfies Expected[]).flatMap((expected) =>
    appending(
      `An append that is repeated, and expects ${expected}, writes nothing`,
      async (append, given) => {
        const { stream, events } = await written(given);
        return [await append(stream, events, expected), await revisions(given, stream)];
      },
      [firstOf(4), [0, 1, 2, 3, 4]],
    ),
  ),
  ...appending(
    'An append that is repeated, and expects the revision before it, writes nothing',
    async (append, given) => {
      const [{ stream }, further] = [await written(given), several(2)];
      const answers = [await append(stream, further, 4n), await append(stream, further, 4n)];
      return [...answers, await revisions(given, stream)];
    },
    [firstOf(6), firstOf(6), [0, 1, 2, 3, 4, 5, 6]],
  ),
  ...([3n, 9n] as const).flatMap((expected) =>
    appending(
      `An append that expects ${expected}, to a stream of five events`,
      async (append, given) => {
        const { stream } = await written(given);
        return [await append(stream, [json()], expected), await revisions(given, stream)];
      },
      [conflict(expected, 4n), [0, 1, 2, 3, 4]],
    ),
  ),
  ...appending(
    'An append of a thousand events',
    (append) => append(fresh(), several(1_000), 'no_stream'),
    firstOf(999),
  ),
  ...appending(
    'Of twenty first appends at once, a single append succeeds',
    async (append, given) => {
      const stream = fresh();
      const answers = await Promise.all(Array.from({ length: 20 }, () => append(stream, [json()], 'no_stream')));
      return [answers.filter((answer) => 'success' in (answer as object)).length, await revisions(given, stream)];
    },
    [1, [0]],
  ),
  ...appending(
    'Letters of every alphabet in a name and in data',
    async (append, given) => {
      const stream = `${fresh()}-äß漢🎈`;
      await append(stream, [json({ text: 'é\u0000"\\漢🎈' })]);
      const [event] = (await read(given, stream)) as { streamId: string; data: unknown }[];
      return [event!.streamId === stream, event!.data];
    },
    [true, { text: 'é\u0000"\\漢🎈' }],
  ),
  ...appending(
    'An event keeps its id, type, data and metadata',
    async (append, given) => {
      const stream = fresh();
      const id = 'e0000000-0000-4000-8000-0000000000ff';
      await append(stream, [jsonEvent({ id, type: 'Probed', data: { one: 1 }, metadata: { two: 2 } })]);
      const [event] = (await read(given, stream)) as unknown as Record<string, unknown>[];
      const { type, data, metadata, isJson, revision, created } = event!;
      return [event!['id'], type, data, metadata, isJson, revision, created instanceof Date];
    },
    ['e0000000-0000-4000-8000-0000000000ff', 'Probed', { one: 1 }, { two: 2 }, true, 0n, true],
  ),
  { probe: 'A read of a missing stream', put: (given) => read(given, fresh()), answer: missing },
  { probe: 'A read of a missing stream backwards', put: (given) => read(given, fresh(), backwards), answer: missing },
  ...(
    [
      ['from a revision', { fromRevision: 2n }, [2, 3, 4]],
      ['of at most two events', { maxCount: 2 }, [0, 1]],
      ['from a revision, of one event', { fromRevision: 3n, maxCount: 1 }, [3]],
      ['from beyond the end', { fromRevision: 5n }, []],
      ['backwards', backwards, [4, 3, 2, 1, 0]],
      ['backwards, of one event', { ...backwards, maxCount: 1 }, [4]],
      ['backwards from a revision', { direction: 'backwards', fromRevision: 2n }, [2, 1, 0]],
    ] as const
  ).map(([how, options, answer]) => ({
    probe: `A read of a stream of five events ${how}`,
    put: async (given: Probing) => revisions(given, (await written(given)).stream, options),
    answer,
  })),
  {
    probe: 'A read of all streams from the position of an event begins with this event',
    put: async (given) => {
      const { stream } = await written(given);
      const events = (await read(given, stream)) as { position?: { commit: bigint; prepare: bigint } }[];
      return ofAll(given, stream, { fromPosition: events[2]!.position!, maxCount: 50 });
    },
    answer: ['2', '3', '4'],
  },
  {
    probe: 'A read of all streams backwards from the position of an event begins before this event',
    put: async (given) => {
      const { stream } = await written(given);
      const events = (await read(given, stream)) as { position?: { commit: bigint; prepare: bigint } }[];
      return ofAll(given, stream, { direction: 'backwards', fromPosition: events[2]!.position!, maxCount: 50 });
    },
    answer: ['1', '0'],
  },
  {
    probe: 'A stream without metadata',
    put: async ({ client }) => (await client.getStreamMetadata(fresh())).metadata,
    answer: undefined,
  },
  {
    probe: 'Metadata of a stream that is set twice',
    put: async ({ client }) => {
      const stream = fresh();
      for (const maxCount of [9, 8]) await client.setStreamMetadata(stream, { maxCount });
      return (await client.getStreamMetadata(stream)).metadata;
    },
    answer: { maxCount: 8 },
  },
  {
    probe: 'A second tombstone',
    put: async ({ client }) => {
      const stream = fresh();
      await client.tombstoneStream(stream);
      return client.tombstoneStream(stream).catch(failureIn);
    },
    answer: deleted,
  },
  {
    probe: 'A subscription from the position of an event delivers the events after it',
    put: async (given) => {
      const { stream } = await written(given);
      const events = (await read(given, stream)) as { position?: { commit: bigint; prepare: bigint } }[];
      return delivered(given, stream, { fromPosition: events[2]!.position! }, 2);
    },
    answer: ['3', '4'],
  },
  {
    probe: 'A subscription from the start with a filter of names delivers a whole stream',
    put: async (given) => {
      const { stream } = await written(given);
      return delivered(given, stream, { fromPosition: 'start', filter: named(stream) }, 5);
    },
    answer: ['0', '1', '2', '3', '4'],
  },
  {
    probe: 'A subscription from the end delivers events that are appended later',
    put: async (given) => {
      const stream = fresh();
      const append = () => given.client.appendToStream(stream, several(2));
      return delivered(given, stream, { fromPosition: 'end', filter: named(stream) }, 2, append);
    },
    answer: ['0', '1'],
  },
];

const named = (stream: string) => ({ filterOn: 'streamName', prefixes: [stream], checkpointInterval: 1 });

/** Reads all streams, and returns the revisions of this stream's events. */
async function ofAll({ client }: Probing, stream: string, options: object): Promise<readonly string[]> {
  const found = [];
  for await (const { event } of client.readAll(options)) if (event?.streamId === stream) found.push(asText(event));
  return found;
}

/**
 * Subscribes to all streams. Returns the revisions of the first `count` events of `stream` that the subscription
 * delivers. Calls `then` after the server has confirmed the subscription.
 */
async function delivered({ client }: Probing, stream: string, options: object, count: number, then?: () => unknown) {
  const found: string[] = [];
  const subscription = client.subscribeToAll(options);
  await new Promise<void>((resolve, reject) => {
    subscription
      .on('confirmation', () => void then?.())
      .on('error', reject)
      .on('data', ({ event }) => {
        if (event?.streamId === stream) found.push(asText(event));
        if (found.length === count) resolve();
      });
  });
  await subscription.unsubscribe();
  return found;
}
