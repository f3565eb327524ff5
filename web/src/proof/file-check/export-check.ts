import { sha256 } from './byte-text';
import { assertCryptography } from './ed25519';
import { canonicalForm, type ChainedEvent, eventChain } from './event-chain';
import { type FileFlaw, FileRefused, refusal } from './flaws';
import { lineSplitter } from './file-lines';
import {
  checkpointIn,
  type NoteCheckpoint,
  noteKey,
  openedText,
  type SignatureCheck,
  SignatureRefused,
} from './signed-note';

/**
 * The number of lines in a batch. The browser computes the hashes of a batch in parallel, and the page can react to
 * input only between two batches.
 */
const BATCH_LINES = 128;

/** An event near a flaw, with the values that its line in the file contains. */
type NearbyEvent = Readonly<{ line: number; revision: number; type: string; at: string }>;

export type FileVerdict =
  | Readonly<{
      ok: true;
      stream: string;
      events: number;
      /** The hash of the last event. */
      head: string;
      /**
       * The checkpoint, and the verifier key that the file itself contains. Missing for events without a checkpoint.
       */
      signed?: Readonly<{ checkpoint: NoteCheckpoint; key: string }>;
    }>
  | Readonly<{ ok: false; flaw: FileFlaw; near: readonly NearbyEvent[] }>;

export type FileProgress = Readonly<{ events: number; bytes: number }>;

type Options = Readonly<{
  verifies: SignatureCheck;
  /** Called after each batch of lines, and after each piece of the file. */
  onProgress?: (progress: FileProgress) => void;
  /** `events`: lines of `GET …/events`, which have neither envelopes nor a checkpoint. */
  form?: 'export' | 'events';
  /** The stream that the file must contain; any stream by default. */
  stream?: string | undefined;
  /** A file with fewer events is older than the history that the caller knows. */
  eventsMin?: number | undefined;
  /** The maximum size of a line in bytes. Only specs set a smaller value. */
  maxLine?: number;
}>;

/**
 * Checks the export of one organization. For each line the function checks the canonical form, the envelope, the hash
 * and the place in the chain. Then checks the root hash of the checkpoint, and the signature with the key in the file.
 * Only one batch of lines is in memory at a time.
 * @throws NoCryptography; the errors of `pieces` and `verifies`
 */
export async function checkFile(
  pieces: AsyncIterable<Uint8Array>,
  { verifies, onProgress = () => undefined, form = 'export', stream, eventsMin = 0, maxLine }: Options,
): Promise<FileVerdict> {
  assertCryptography();
  const splitter = lineSplitter(maxLine);
  const reader = form === 'export' ? exportReader(verifies, stream) : eventsReader(stream);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      let batch = 0;
      try {
        for (const line of splitter.add(piece)) {
          await reader.add(line);
          if ((batch += 1) % BATCH_LINES > 0) continue;
          await reader.settle();
          onProgress({ events: reader.events(), bytes });
        }
      } finally {
        await reader.settle(); // reports a flaw of an earlier line before the flaw that ends this piece
      }
      onProgress({ events: reader.events(), bytes });
    }
    splitter.end();
    const verdict = reader.verdict(bytes);
    const events = reader.events();
    if (events < eventsMin) throw new FileRefused({ code: 'older', values: { last: events - 1, head: eventsMin - 1 } });
    return verdict;
  } catch (error) {
    if (error instanceof FileRefused) return { ok: false, flaw: error.flaw, near: reader.near(error.flaw.line ?? 0) };
    throw error;
  }
}

type Reader = Readonly<{
  add: (text: string) => void | Promise<void>;
  /** Waits for the hashes of the added lines. @throws FileRefused */
  settle: () => Promise<void>;
  events: () => number;
  near: (line: number) => readonly NearbyEvent[];
  /** @throws FileRefused if the file ended too early */
  verdict: (bytes: number) => FileVerdict;
}>;

/** The chain, its pending hashes, and the last events. */
function pendingChain(expected: string | undefined) {
  const chain = eventChain(expected);
  let pending: Promise<FileRefused | undefined>[] = [];
  const last: NearbyEvent[] = [];
  return {
    chain,
    follow: (event: ChainedEvent, line: number) => {
      const { at } = (event.metadata ?? {}) as Readonly<Record<string, unknown>>;
      last.push({ line, revision: event.revision, type: event.type, at: String(at) });
      if (last.length > 4 * BATCH_LINES) last.splice(0, 2 * BATCH_LINES);
      pending.push(chain.add(event, line));
    },
    settle: async () => {
      const settled = await Promise.all(pending);
      pending = [];
      const refused = settled.find((one) => one !== undefined);
      if (refused) throw refused;
    },
    /**
     * The last three events up to this line: if the line contains an event, this event and the two events before it.
     */
    near: (line: number) => last.filter((event) => event.line <= line).slice(-3),
  };
}

/** Reads the lines of `GET …/events`. */
function eventsReader(expected: string | undefined): Reader {
  const { chain, follow, settle, near } = pendingChain(expected);
  let number = 0;
  return {
    add: (text) => {
      number += 1;
      const line = parsed(text, number);
      if (!isEvent(line)) throw refusal('no-event', number);
      follow(line, number);
    },
    settle,
    events: chain.events,
    near,
    verdict: (bytes) => {
      if (bytes === 0) throw new FileRefused({ code: 'empty' });
      return { ok: true, stream: chain.stream() ?? '', events: chain.events(), head: chain.head() };
    },
  };
}

const CHECKPOINT = 'charter.checkpoint';

/** Reads the lines of an export. */
function exportReader(verifies: SignatureCheck, expected: string | undefined): Reader {
  const { chain, follow, settle, near } = pendingChain(expected);
  let number = 0;
  let source: string | undefined;
  let signed: Readonly<{ checkpoint: NoteCheckpoint; key: string }> | undefined;

  const event = (line: JsonLine, text: string) => {
    const { data: inner, source: named } = line;
    if (number === 1 && line['charter'] === 'events') throw new FileRefused({ code: 'whole-log' });
    if (!isObject(inner) || !isEvent(inner) || typeof named !== 'string') throw refusal('no-event', number);
    const { stream, revision, id, type, data, metadata } = inner;
    if (!isObject(data) || !isObject(metadata)) throw refusal('no-event', number);
    if (!named.startsWith('charter/') || (source !== undefined && named !== source))
      throw refusal('other-source', number, revision);
    const hashed = { stream, revision, id, type, data, metadata };
    const { at } = metadata;
    assertLine(line, text, enveloped({ id, source: named, type, subject: stream, time: at, data: hashed }), revision);
    source = named;
    follow(hashed, number);
  };

  const closing = async (line: JsonLine, text: string) => {
    const events = chain.events();
    const { checkpoint: note, key } = isObject(line['data']) ? line['data'] : {};
    if (typeof note !== 'string' || typeof key !== 'string') throw refusal('no-signed-checkpoint', number, events);
    const checkpoint = await opened(note, key).catch((error: unknown) => {
      throw error instanceof SignatureRefused ? refusal(error.code, number, undefined, error.values) : error;
    });
    const { store, covers, at: time } = checkpoint;
    const [id, data] = [await sha256(note), { checkpoint: note, key }];
    assertLine(
      line,
      text,
      enveloped({ id, source: `charter/${store}`, type: CHECKPOINT, subject: covers, time, data }),
      events,
    );
    const refuse = (...[code, values]: [FileFlaw['code'], FileFlaw['values']?]) => {
      throw refusal(code, number, events, values);
    };
    if (`charter/${store}` !== source) refuse('checkpoint-store');
    if (covers !== chain.stream()) refuse('checkpoint-stream', { covers });
    if (checkpoint.events !== events) refuse('checkpoint-events', { signed: checkpoint.events, events });
    if (checkpoint.root !== (await sha256(`${covers} ${chain.head()}\n`))) refuse('checkpoint-root');
    signed = { checkpoint, key };
  };

  const opened = async (note: string, key: string) =>
    checkpointIn(await openedText(note, await noteKey(key), verifies));

  const assertLine = (line: JsonLine, text: string, expected: JsonLine, revision: number) => {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(line)])].filter((name) => name !== 'data');
    const name = names.find((each) => line[each] !== expected[each]);
    if (name !== undefined) throw refusal('envelope', number, revision, { name });
    if (canonicalForm(expected) !== text) throw refusal('not-canonical', number, revision);
  };

  return {
    add: (text) => {
      number += 1;
      if (signed) throw refusal('after-checkpoint', number);
      const line = parsed(text, number);
      if (line['type'] === CHECKPOINT && chain.events() > 0) return settle().then(() => closing(line, text));
      event(line, text);
    },
    settle,
    events: chain.events,
    near,
    verdict: (bytes) => {
      if (bytes === 0) throw new FileRefused({ code: 'empty' });
      if (!signed) throw refusal('no-checkpoint', number + 1, chain.events());
      return { ok: true, stream: chain.stream() ?? '', events: chain.events(), head: chain.head(), signed };
    },
  };
}

type JsonLine = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonLine => typeof value === 'object' && value !== null;

/** @throws FileRefused */
function parsed(text: string, line: number): JsonLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal('not-json', line);
  }
  if (!isObject(value)) throw refusal('not-json', line);
  return value;
}

const isEvent = (value: JsonLine): value is JsonLine & ChainedEvent =>
  [value['stream'], value['id'], value['type']].every((word) => typeof word === 'string') &&
  Number.isSafeInteger(value['revision']) &&
  (value['revision'] as number) >= 0;

const enveloped = (fields: JsonLine): JsonLine => ({
  specversion: '1.0',
  datacontenttype: 'application/json',
  ...fields,
});
