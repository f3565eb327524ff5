import { randomUUID } from 'node:crypto';
import { streamDeleted } from './failures.mjs';
import { hidden, shown, TOMBSTONES } from './messages.mjs';

/**
 * The metadata and the tombstones that outside tools have given to streams. The façade stores metadata and tombstones
 * as events of the log. So metadata and tombstones remain after a restart. Other façade processes on the same log
 * apply them, too.
 */
export async function streamRulesOf(log, contents) {
  const settings = new Map();
  const tombstones = new Set();

  const note = ({ stream, data, position }) => {
    if (stream.startsWith(TOMBSTONES)) tombstones.add(stream.slice(TOMBSTONES.length));
    // This process notes metadata as soon as it has written the event. The subscription later delivers the same event,
    // which must not replace newer metadata.
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
    // the JSON is built as text, because a JavaScript number cannot be 2^63 - 1
    const others = JSON.stringify({ ...metadataOf(stream), $tb: undefined }).slice(1, -1);
    return write(metastreamOf(stream), '$metadata', `{${others}${others && ','}"$tb":${before}}`);
  };
  return {
    note,
    /** The last revision of a stream, also if the stream is deleted; -1 if it never existed. */
    lastOf,
    refuseTombstoned: (stream) => {
      if (tombstones.has(stream)) throw streamDeleted(shown(stream));
    },
    hasMetadata: (stream) => metadataOf(stream) !== undefined,
    isSoftDeleted,
    /** Hides every event of a stream. The next append continues the stream without these events. */
    softDelete: (stream) => truncate(stream, DELETED_TEXT),
    /** Makes a soft-deleted stream readable again, from this revision on. */
    revive: (stream, revision) => truncate(stream, revision),
    entomb: (stream) => write(TOMBSTONES + stream, '$streamDeleted', '{}'),
    /**
     * `holds` says whether an event can still be read in its stream; no event before the revision `first` can be read.
     */
    visible: async (stream) => {
      const { $maxCount, $maxAge, $tb = 0 } = metadataOf(stream) ?? {};
      const kept = $maxCount === undefined ? 0n : (await lastOf(stream)) - BigInt($maxCount) + 1n;
      const first = kept > BigInt($tb) ? kept : BigInt($tb);
      const since = $maxAge === undefined ? -Infinity : Date.now() - $maxAge * 1_000;
      return { first, holds: ({ revision, created }) => revision >= first && created.getTime() >= since };
    },
  };
}

/** Calls `note` for each event of a subscription, and `onCaughtUp` after the last existing event. */
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
