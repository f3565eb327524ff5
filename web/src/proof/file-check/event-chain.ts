import canonicalize from 'canonicalize';
import { sha256 } from './byte-text';
import { type FileRefused, refusal } from './flaws';

/** The `previousHash` of a stream's first event. */
const FIRST_PREVIOUS_HASH = '0'.repeat(64);

/**
 * The fields of an event over which its hash is computed. `metadata` also contains the hash itself, which is left out.
 */
export type ChainedEvent = Readonly<{
  stream: string;
  revision: number;
  id: string;
  type: string;
  data: unknown;
  metadata: unknown;
}>;

/**
 * The canonical JSON (RFC 8785) of a value; `undefined` for a value without a canonical form, such as a text with a
 * lone surrogate.
 */
export function canonicalForm(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}

/**
 * Checks the hash chain of one stream in the same way as the service (`event-log.md` E). The hashes are computed while
 * the caller reads the next events, so `add` returns a promise for the check of the event's own hash.
 * @param stream the stream of all events; the stream of the first event by default
 */
export function eventChain(stream?: string) {
  let events = 0;
  let head = FIRST_PREVIOUS_HASH;
  return {
    /**
     * Adds the next event to the chain.
     * @returns a promise that resolves with undefined, or with an error if the event's content does not match its hash
     * @throws FileRefused if the event is not the next one of its stream
     */
    add(event: ChainedEvent, line: number): Promise<FileRefused | undefined> {
      stream ??= event.stream;
      const { revision } = event;
      const refused = (...[code, values]: [Parameters<typeof refusal>[0], Parameters<typeof refusal>[3]?]) =>
        refusal(code, line, revision, values);
      if (event.stream !== stream) throw refused('other-stream', { other: event.stream, stream });
      if (revision < events) throw refused('revision-again', { named: revision });
      if (revision > events) throw refused('revision-missing', { missing: events });
      if (typeof event.metadata !== 'object' || event.metadata === null) throw refused('no-metadata');
      const { hash, ...metadata } = event.metadata as Readonly<Record<string, unknown>>;
      if (metadata['previousHash'] !== head) throw refused('not-following');
      const { id, type, data } = event;
      const text = canonicalForm({ stream, revision, id, type, data, metadata });
      if (text === undefined || typeof hash !== 'string') throw refused('content');
      events += 1;
      head = hash;
      return sha256(text).then((computed) => (computed === hash ? undefined : refused('content')));
    },
    events: () => events,
    /**
     * The hash of the last event. The hash is verified only after all promises of `add` have resolved without an error.
     */
    head: () => head,
    stream: () => stream,
  };
}
