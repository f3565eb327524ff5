import { createHash } from 'node:crypto';
import type { Moment } from '@charter/decider';
import type { Position } from '@charter/event-log';
import { NoteRefused, openNote, type Signer, signNote, type Verifier } from './signed-note';

/**
 * The signed checkpoint at the end of every export, and daily over all streams (`event-log.md` E). It has the form of
 * C2SP tlog-checkpoint: its three lines, and then Charter's own lines. Its root is `rootOf`, not the root of a Merkle
 * tree.
 */
export type SignedCheckpoint = Readonly<{
  /** The identity of the store that the events were read from. */
  store: string;
  /** The number of events that it covers. */
  events: number;
  /** Over the heads of all streams that it covers, in hex. */
  root: string;
  /** The name of one stream, or `ALL_STREAMS`. */
  covers: string;
  /** The position of the last event that it covers. */
  position: Position;
  at: Moment;
}>;

/** The value of `covers` for a whole log. */
export const ALL_STREAMS = 'all streams';

/**
 * The name under which every Charter signs. So an auditor's key stays valid when a service gets another address or its
 * events another store. The first line of a checkpoint names the store.
 */
export const SIGNER_NAME = 'charter';

/** The last hash of a stream, as a checkpoint covers it. */
export type StreamHead = Readonly<{ stream: string; head: string }>;

/** SHA-256 over `stream head\n` of each stream, as hex. The caller adds streams in the order of their names. */
export function rootBuilder() {
  const heads = createHash('sha256');
  return {
    add: ({ stream, head }: StreamHead): void => void heads.update(`${stream} ${head}\n`),
    root: (): string => heads.digest('hex'),
  };
}

export function rootOf(heads: Iterable<StreamHead>): string {
  const over = rootBuilder();
  for (const head of heads) over.add(head);
  return over.root();
}

/** A checkpoint as a signed note. */
export const signCheckpoint = (checkpoint: SignedCheckpoint, signer: Signer): string =>
  signNote(textOf(checkpoint), signer);

/** Verifies a note and reads its checkpoint. @throws NoteRefused, also for a text in another form */
export function openCheckpoint(note: string, ...known: readonly Verifier[]): SignedCheckpoint {
  const { text } = openNote(note, ...known);
  const [, store, events, root, covers, position, at] = FORM.exec(text) ?? [];
  if (at === undefined) throw new NoteRefused('The signed note is not a checkpoint of Charter.');
  const checkpoint = {
    store: store!,
    events: Number(events),
    root: Buffer.from(root!, 'base64').toString('hex'),
    covers: covers!,
    position: position!,
    at,
  };
  if (textOf(checkpoint) !== text) throw new NoteRefused('The signed note is not a checkpoint of Charter.');
  return checkpoint;
}

const textOf = ({ store, events, root, covers, position, at }: SignedCheckpoint): string =>
  `${sourceOf(store)}\n${events}\n${Buffer.from(root, 'hex').toString('base64')}\ncovers ${covers}\nposition ${position}\nat ${at}\n`;

/** The name of a log in checkpoints, and the source of exported events. */
export const sourceOf = (store: string): string => `charter/${store}`;

const FORM = /^charter\/(\S+)\n(0|[1-9]\d{0,14})\n([\w+/]{43}=)\ncovers ([^\n]+)\nposition (\d{20})\nat (\S+)\n$/;
