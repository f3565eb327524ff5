import { randomUUID } from 'node:crypto';
import { streamDeleted } from './failures.mjs';
import { hidden, shown, TOMBSTONES } from './messages.mjs';

/**
 * The metadata and the tombstones that outside tools gave to streams. They are events of the log, so they outlive a
 * restart, and other members over the same log follow them.
 */
export async function streamRulesOf(log, contents) {
  const settings = new Map();
  const tombstones = new Set();

  const note = ({ stream, data, position }) => {
    if (stream.startsWith(TOMBSTONES)) tombstones.add(stream.slice(TOMBSTONES.length));
    // The subscription delivers again, and later, what this process has noted when it wrote it.
    else if (stream.startsWith(METASTREAMS) && position > (settings.get(stream)?.position ?? ''))
      settings.set(stream, { position, metadata: objectOf(contents.unpacked(data).bytes) });
  };
  const followed = log.subscribe({ after: 'start', streamPrefixes: [METASTREAMS, TOMBSTONES] });
  await new Promise((resolve) => void follow(followed, note, resolve));

  const metastreamOf = (stream) => hidden(`$$${shown(stream)}`);
  const metadataOf = (stream) => settings.get(metastreamOf(stream))?.metadata;
  const lastOf = async (stream) => {
    try {
      for await (const { revision } of log.readStream(stream, { direction: 'backwards', maxCount: 1 })) return revision;
    } catch (error) {
      if (error.kind !== 'not-found') throw error;
    }
    return -1n;
  };
  const isSoftDeleted = (stream) => metadataOf(stream)?.$tb >= DELETED;
  const write = async (stream, type, text) => {
    const [event] = contents.packed([{ ...systemEvent(type), data: Buffer.from(text) }]);
    const { position } = await log.append(stream, [event], { expected: 'any' });
    note({ stream, data: event.data, position });
    return position;
  };
  const truncate = (stream, before) => {
    // as text, because a number of JavaScript cannot be 2^63 - 1
    const others = JSON.stringify({ ...metadataOf(stream), $tb: undefined }).slice(1, -1);
    return write(metastreamOf(stream), '$metadata', `{${others}${others && ','}"$tb":${before}}`);
  };
  return {
    note,
    /** The last revision of a stream, deleted or not; -1 if it never existed. */
    lastOf,
    refuseTombstoned: (stream) => {
      if (tombstones.has(stream)) throw streamDeleted(shown(stream));
    },
    hasMetadata: (stream) => metadataOf(stream) !== undefined,
    isSoftDeleted,
    /** Hides every event; the next append revives the stream without them. */
    softDelete: (stream) => truncate(stream, DELETED_TEXT),
    /** Makes a soft-deleted stream begin at this revision. */
    revive: (stream, revision) => truncate(stream, revision),
    entomb: (stream) => write(TOMBSTONES + stream, '$streamDeleted', '{}'),
    /** Whether an event can still be read in its stream, and the first revision for which that may hold. */
    visible: async (stream) => {
      const { $maxCount, $maxAge, $tb = 0 } = metadataOf(stream) ?? {};
      const kept = $maxCount === undefined ? 0n : (await lastOf(stream)) - BigInt($maxCount) + 1n;
      const first = kept > BigInt($tb) ? kept : BigInt($tb);
      const since = $maxAge === undefined ? -Infinity : Date.now() - $maxAge * 1_000;
      return { first, holds: ({ revision, created }) => revision >= first && created.getTime() >= since };
    },
  };
}

/** Notes the events of a subscription. `onCaughtUp` is called when the history is known. */
async function follow(deliveries, note, onCaughtUp) {
  for await (const delivery of deliveries) {
    if (delivery.kind === 'event') note(delivery.event);
    else if (delivery.kind === 'caught-up') onCaughtUp();
  }
}

const METASTREAMS = hidden('$$');

const systemEvent = (type) => ({ id: randomUUID(), type: hidden(type), metadata: Buffer.alloc(0), isJson: true });

/** A stream is soft-deleted when it is truncated before the last possible revision, 2^63 - 1. */
const DELETED_TEXT = '9223372036854775807';
const DELETED = Number(DELETED_TEXT);

function objectOf(bytes) {
  try {
    return Object(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return {};
  }
}
