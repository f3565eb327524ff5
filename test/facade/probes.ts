import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  binaryEvent,
  type EventData,
  type EventStoreDBClient,
  jsonEvent,
  type StreamMetadata,
} from '@eventstore/db-client';
import { eventStoreAddress } from '@charter/event-log';
import { ended } from '../cli/command-line';

/** The release of the server, which the client stores in a private field. */
export const releaseOf = async (client: EventStoreDBClient): Promise<string> => {
  const { capabilities } = client as unknown as { capabilities: Promise<{ serverVersion: string }> };
  return (await capabilities).serverVersion;
};

/** The server of a probe, and a client that the probes share. */
export type Probing = Readonly<{ client: EventStoreDBClient; url: string }>;

/** A call of the client, and the answer of a real server. `later` is the answer from release 24.2 on, if it differs. */
export type Probe = Readonly<{
  probe: string;
  put: (given: Probing) => Promise<unknown>;
  answer: unknown;
  later?: unknown;
}>;

export type Expected = 'any' | 'no_stream' | 'stream_exists' | bigint;
type Append = (stream: string, events: readonly EventData[], expected?: Expected) => Promise<unknown>;

/**
 * The two ways in which the client appends (`event-log.md` B). With credentials the client uses the classic path, with
 * a separate call for each append. Without credentials it uses the batch path: all appends share one call.
 */
const ways = [
  ['on the classic path', ({ url }: Probing) => ({ credentials: eventStoreAddress(url, open).user ?? someone })],
  ['on the batch path', () => ({})],
] as const;
const open = { allowInsecure: true };
const someone = { username: 'charter', password: 'charter' };

/** Makes one probe for each of the two paths. */
export const appending = (
  probe: string,
  put: (append: Append, given: Probing) => Promise<unknown>,
  answer: unknown,
): readonly Probe[] =>
  ways.map(([way, how]) => ({
    probe: `${probe}, ${way}`,
    answer,
    put: (given) => {
      const append: Append = (stream, events, expectedRevision = 'any') =>
        given.client.appendToStream(stream, [...events], { expectedRevision, ...how(given) }).catch(failureIn);
      return put(append, given);
    },
  }));

export const fresh = () => `contract-${randomUUID()}`;
export const json = (data: object = {}, id: string = randomUUID()) =>
  jsonEvent({ id, type: 'Probed', data: data as never });
export const several = (count: number) => Array.from({ length: count }, (_, number) => json({ number }));
/** An event whose data has this number of bytes. */
const weighing = (bytes: number, metadata = 0) =>
  jsonEvent({
    ...{ type: 'Probed', data: { text: 'x'.repeat(bytes - '{"text":""}'.length) } },
    ...(metadata > 0 && { metadata: { text: 'x'.repeat(metadata - '{"text":""}'.length) } }),
  });

/** The fields of the client's errors by which callers distinguish the errors. */
export function failureIn(error: unknown): object {
  const { type, code, message, expectedVersion, actualVersion, maxAppendSize, streamName } = error as Record<
    string,
    unknown
  >;
  return { failed: type, code, message, expectedVersion, actualVersion, maxAppendSize, streamName };
}
export const failing = (type: string, more: object = {}): unknown => expect.objectContaining({ failed: type, ...more });
export const done = (more: object = {}): unknown => expect.objectContaining({ success: true, ...more });
const somewhere: unknown = expect.objectContaining({ commit: expect.any(BigInt) as bigint });
const placed: unknown = expect.objectContaining({ position: somewhere });
export const conflict = (expectedVersion: Expected, actualVersion: bigint | 'no_stream') =>
  failing('wrong-expected-version', { expectedVersion, actualVersion });
export const deleted = failing('stream-deleted');
const tooLarge = failing('maximum-append-size-exceeded', { maxAppendSize: 1_048_576 });
const thrown = failing('unknown', { message: expect.stringContaining('Exception was thrown by handler.') });

/** The events of a stream, or the failure of the read. */
export async function read({ client }: Probing, stream: string, options: object = {}) {
  const events = [];
  try {
    for await (const { event } of client.readStream(stream, options)) events.push(event!);
    return events;
  } catch (error) {
    return failureIn(error);
  }
}
export async function revisions(given: Probing, stream: string, options: object = {}) {
  const events = await read(given, stream, options);
  return Array.isArray(events) ? events.map(({ revision }) => Number(revision)) : events;
}

/** Writes a stream, by default of five events. */
export async function written({ client }: Probing, count = 5) {
  const stream = fresh();
  const events = several(count);
  await client.appendToStream(stream, events, { expectedRevision: 'no_stream' });
  return { stream, events };
}
const softDeleted = async (given: Probing) => {
  const { stream, events } = await written(given);
  await given.client.deleteStream(stream);
  return { stream, events };
};
const tombstoned = async (given: Probing) => {
  const { stream } = await written(given);
  await given.client.tombstoneStream(stream);
  return stream;
};
const shortened = async (given: Probing, metadata: StreamMetadata) => {
  const { stream } = await written(given);
  await given.client.setStreamMetadata(stream, metadata);
  return stream;
};

/**
 * Subscribes, and resolves with what the subscription reports (confirmation, then `caughtUp` or an error) and with its
 * checkpoints.
 */
async function watched({ client }: Probing, options: object, prefixes?: readonly string[]) {
  const signs: unknown[] = [];
  const checkpoints: bigint[] = [];
  const checkpointReached = (_: unknown, { commit }: { commit: bigint }) => {
    checkpoints.push(commit);
    return Promise.resolve();
  };
  const filter = { filterOn: 'streamName', prefixes, checkpointInterval: 1, checkpointReached };
  const subscription = client.subscribeToAll({ ...options, ...(prefixes && { filter }) } as object);
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, 5_000);
    const finish = (sign: unknown) => {
      signs.push(sign);
      clearTimeout(late);
      resolve();
    };
    subscription
      .on('confirmation', () => signs.push('confirmation'))
      .on('caughtUp', () => finish('caughtUp'))
      .on('error', (error) => finish(failureIn(error)))
      .on('data', () => undefined);
  });
  await subscription.unsubscribe();
  return { signs, checkpoints };
}
const signs = async (given: Probing, options: object, prefixes?: readonly string[]) =>
  (await watched(given, options, prefixes)).signs;
const confirmed = ['confirmation', 'caughtUp'];
const end = async ({ client }: Probing) => {
  for await (const { event } of client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 }))
    return event!.position.commit;
  throw new Error('The log is empty.');
};
const at = (commit: bigint) => ({ fromPosition: { commit, prepare: commit } });

/** Appends in a child process, because the second answer to an unusable event ends the process of the client. */
async function alone({ url }: Probing, stream: string, id: string, type: string) {
  const { stdout, stderr, code } = await ended(
    spawn(process.execPath, [join(__dirname, 'put-alone.mjs'), url, stream, id, type]),
  );
  return { answer: JSON.parse(stdout) as unknown, code, isTypeError: stderr.includes('TypeError') };
}
const NO_ID = '00000000-0000-0000-0000-000000000000';
const unrecognized = failing('unknown', { message: expect.stringMatching(/^Could not recognize/) });

export const probes: readonly Probe[] = [
  ...(['any', 'no_stream'] as const).flatMap((expected) =>
    appending(
      `An append that expects ${expected}, and contains no events, writes nothing`,
      async (append, given) => {
        const stream = fresh();
        return [await append(stream, [], expected), await read(given, stream)];
      },
      [done(), failing('stream-not-found')],
    ),
  ),
  {
    probe: 'An event without a type, on the classic path',
    put: (given) => appendAlone(given, fresh(), jsonEvent({ type: '', data: {} })),
    answer: thrown,
  },
  {
    probe: 'An event with the zero id, on the classic path',
    put: (given) => appendAlone(given, fresh(), json({}, NO_ID)),
    answer: thrown,
  },
  {
    probe: 'The empty name of a stream, on the classic path',
    put: (given) => appendAlone(given, '', json()),
    answer: thrown,
  },
  {
    probe: 'An event without a type, on the batch path, ends the process of the client',
    put: (given) => alone(given, fresh(), randomUUID(), ''),
    answer: { answer: unrecognized, code: 1, isTypeError: true },
  },
  {
    probe: 'An event with the zero id, on the batch path, ends the process of the client',
    put: (given) => alone(given, fresh(), NO_ID, 'Probed'),
    answer: { answer: unrecognized, code: 1, isTypeError: true },
  },
  {
    probe: 'The empty name of a stream, on the batch path',
    put: async (given) => (await alone(given, '', randomUUID(), 'Probed')).answer,
    answer: unrecognized,
  },
  ...appending('1,048,576 bytes of data', (append) => append(fresh(), [weighing(1_048_576)]), done()),
  ...appending(
    '600 KiB of data with 600 KiB of metadata',
    async (append, given) => {
      const stream = fresh();
      await append(stream, [weighing(614_400, 614_400)]);
      const events = (await read(given, stream)) as { metadata: object }[];
      return events.map(({ metadata }) => JSON.stringify(metadata).length);
    },
    [614_400],
  ),
  ...appending('One byte of data more than 1 MiB', (append) => append(fresh(), [weighing(1_048_577)]), tooLarge),
  ...appending(
    'Two events of 600 KiB',
    async (append, given) => {
      const stream = fresh();
      return [await append(stream, [weighing(614_400), weighing(614_400)]), await read(given, stream)];
    },
    [tooLarge, failing('stream-not-found')],
  ),
  ...appending(
    'A binary event is stored unchanged',
    async (append, given) => {
      const stream = fresh();
      const bytes = Uint8Array.of(0, 255, 123, 34, 128);
      await append(stream, [binaryEvent({ type: 'Probed', data: bytes, metadata: bytes }), json({ after: 1 })]);
      const events = (await read(given, stream)) as { data: object; metadata?: object; isJson: boolean }[];
      return events.map(({ data, metadata, isJson }) => [
        isJson ? data : Buffer.from(data as Uint8Array),
        metadata && Buffer.from(metadata as Uint8Array),
      ]);
    },
    [
      [Buffer.of(0, 255, 123, 34, 128), Buffer.of(0, 255, 123, 34, 128)],
      [{ after: 1 }, undefined],
    ],
  ),
  ...appending(
    'A conflict repeats that `no_stream` was expected',
    async (append, given) => append((await written(given)).stream, [json()], 'no_stream'),
    conflict('no_stream', 4n),
  ),
  ...appending(
    'A conflict repeats that `stream_exists` was expected',
    (append) => append(fresh(), [json()], 'stream_exists'),
    conflict('stream_exists', 'no_stream'),
  ),
  ...appending(
    'A conflict repeats the expected revision',
    (append) => append(fresh(), [json()], 7n),
    conflict(7n, 'no_stream'),
  ),
  ...appending(
    'A conflict repeats that `any` was expected',
    async (append) => {
      const [stream, known] = [fresh(), json()];
      await append(stream, [known]);
      return append(stream, [known, json()]);
    },
    conflict('any', 0n),
  ),
  {
    probe: 'An append with a deadline of 1 ms, on the batch path',
    put: ({ client }) => client.appendToStream(fresh(), json(), { deadline: 1 }).catch(failureIn),
    answer: failing('deadline-exceeded'),
  },
  ...(['any', 'no_stream', 'stream_exists', 4n] as const).flatMap((expected) =>
    appending(
      `An append that expects ${expected}, to a tombstoned stream`,
      async (append, given) => append(await tombstoned(given), [json()], expected),
      deleted,
    ),
  ),
  {
    probe: 'A soft delete answers a position, truncates before 2^63 - 1, and hides the stream',
    put: async (given) => {
      const { stream } = await written(given);
      const answer = await given.client.deleteStream(stream, { expectedRevision: 4n });
      const metadata = await given.client.getStreamMetadata(stream);
      return [answer, metadata.metadata, await read(given, stream)];
    },
    answer: [placed, { truncateBefore: 2 ** 63 }, failing('stream-not-found')],
  },
  ...(['no_stream', 3n, 9n] as const).map((expected) => ({
    probe: `A soft delete that wrongly expects ${expected}`,
    put: async (given: Probing) => {
      const { stream } = await written(given);
      return [
        await given.client.deleteStream(stream, { expectedRevision: expected }).catch(failureIn),
        await revisions(given, stream),
      ];
    },
    answer: [failing('wrong-expected-version', { actualVersion: 4n }), [0, 1, 2, 3, 4]],
  })),
  ...appending(
    'An append that expects stream_exists, to a soft-deleted stream',
    async (append, given) => append((await softDeleted(given)).stream, [json()], 'stream_exists'),
    deleted,
  ),
  ...(['any', 'no_stream', 4n] as const).flatMap((expected) =>
    appending(
      `An append that expects ${expected}, to a soft-deleted stream, revives the stream without its old events`,
      async (append, given) => {
        const { stream } = await softDeleted(given);
        return [await append(stream, [json()], expected), await revisions(given, stream)];
      },
      [done({ nextExpectedRevision: 5n, position: somewhere }), [5]],
    ),
  ),
  ...appending(
    'An append that expects no_stream, and repeats the events of a soft-deleted stream, writes nothing',
    async (append, given) => {
      const { stream, events } = await softDeleted(given);
      return [await append(stream, events, 'no_stream'), await read(given, stream)];
    },
    [done({ nextExpectedRevision: 4n, position: undefined }), failing('stream-not-found')],
  ),
  {
    probe: 'A tombstone answers a position, and ends the stream',
    put: async (given) => {
      const { stream } = await written(given);
      const answer = await given.client.tombstoneStream(stream, { expectedRevision: 4n });
      return [answer, await read(given, stream), await given.client.deleteStream(stream).catch(failureIn)];
    },
    answer: [placed, deleted, deleted],
  },
  ...(['no_stream', 3n, 9n] as const).map((expected) => ({
    probe: `A tombstone that wrongly expects ${expected}`,
    put: async (given: Probing) => {
      const { stream } = await written(given);
      return [
        await given.client.tombstoneStream(stream, { expectedRevision: expected }).catch(failureIn),
        await revisions(given, stream),
      ];
    },
    answer: [failing('wrong-expected-version', { actualVersion: 4n }), [0, 1, 2, 3, 4]],
  })),
  {
    probe: 'A tombstone of a missing stream',
    put: async (given) => {
      const stream = fresh();
      return [await given.client.tombstoneStream(stream), await appendAlone(given, stream, json())];
    },
    answer: [placed, deleted],
  },
  {
    probe: 'A tombstone is an event of all streams',
    put: async (given) => {
      const stream = await tombstoned(given);
      const found = [];
      for await (const { event } of given.client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 50 }))
        if (event?.streamId === stream) found.push([event.type, event.revision]);
      return found[0];
    },
    answer: ['$streamDeleted', 2n ** 63n - 1n],
  },
  {
    probe: 'A read obeys the maximum number of events',
    put: async (given) => {
      const stream = await shortened(given, { maxCount: 2 });
      return [
        await revisions(given, stream),
        await revisions(given, stream, { direction: 'backwards', fromRevision: 'end' }),
      ];
    },
    answer: [
      [3, 4],
      [4, 3],
    ],
  },
  {
    probe: 'A read obeys the revision before which a stream is truncated',
    put: async (given) => {
      const stream = await shortened(given, { truncateBefore: 3 });
      return [await revisions(given, stream, { fromRevision: 1n, maxCount: 1 }), await revisions(given, stream)];
    },
    answer: [[3], [3, 4]],
  },
  {
    probe: 'A read obeys the maximum age of events',
    put: async (given) => {
      const stream = await shortened(given, { maxAge: 1 });
      await pause(2_200);
      await given.client.appendToStream(stream, json());
      return revisions(given, stream);
    },
    answer: [5],
  },
  ...appending(
    'An append that expects a stream, to a stream that has only metadata',
    async (append, given) => {
      const stream = fresh();
      await given.client.setStreamMetadata(stream, { maxCount: 9 });
      return append(stream, [json()], 'stream_exists');
    },
    done({ nextExpectedRevision: 0n }),
  ),
  {
    probe: 'A read of a stream with `maxCount` 0 fails',
    put: async (given) => read(given, (await written(given)).stream, { maxCount: 0 }),
    answer: expect.objectContaining({ failed: expect.any(String) }),
  },
  {
    probe: 'A read of all streams with `maxCount` 0 is never answered',
    put: async ({ client }) => {
      const reading = client.readAll({ maxCount: 0 });
      const answered = new Promise((resolve) => reading.on('end', resolve).on('error', resolve).resume());
      const first = await Promise.race([answered, pause(1_000, 'nothing')]);
      await reading.cancel();
      return first;
    },
    answer: 'nothing',
  },
  {
    probe: 'A subscription whose filter matches nothing has caught up at once',
    put: async (given) => signs(given, at(await end(given)), [fresh()]),
    answer: confirmed,
  },
  {
    probe: 'A subscription from the start whose filter matches nothing: its impossible checkpoints',
    put: async (given) => {
      const { checkpoints } = await watched(given, { fromPosition: 'start' }, [fresh()]);
      return checkpoints.filter((commit) => commit >= 2n ** 63n);
    },
    answer: [],
    later: [2n ** 64n - 1n],
  },
  {
    probe: 'A subscription from the end, with and without a filter, has caught up at once',
    put: async (given) => [
      await signs(given, { fromPosition: 'end' }),
      await signs(given, { fromPosition: 'end' }, [fresh()]),
    ],
    answer: [confirmed, confirmed],
  },
  {
    probe: 'A subscription from beyond the end, with and without a filter, has caught up at once',
    put: async (given) => [await signs(given, at(2n ** 62n)), await signs(given, at(2n ** 62n), [fresh()])],
    answer: [confirmed, confirmed],
  },
  {
    probe: 'A subscription from a position where no event begins',
    put: async (given) => signs(given, at((await end(given)) - 1n)),
    answer: [thrown],
    later: [failing('unknown', { code: 3 })],
  },
  {
    probe: 'A filtered subscription over history sends checkpoints at its interval',
    put: async (given) => {
      const { stream } = await written(given, 1);
      const from = at(await end(given));
      for (let burst = 0; burst < 4; burst += 1) await written(given, 100);
      const { checkpoints } = await watched(given, from, [`${stream}-missing`]);
      return checkpoints.filter((commit) => commit < 2n ** 63n).length >= 10;
    },
    answer: true,
  },
];

async function appendAlone({ client, url }: Probing, stream: string, event: EventData) {
  const credentials = eventStoreAddress(url, open).user ?? someone;
  return client.appendToStream(stream, event, { credentials }).catch(failureIn);
}
