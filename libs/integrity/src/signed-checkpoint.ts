import { createHash } from 'node:crypto';
import type { Moment } from '@charter/decider';
import type { Position } from '@charter/event-log';
import { NoteRefused, openNote, type Signer, signNote, type Verifier } from './signed-note';

/**
 * What is signed at the end of every export, and daily over all streams (`event-log.md` E). Its form is that of C2SP
 * tlog-checkpoint, three lines and then ours; its root is no Merkle tree's, but `rootOf`.
 */
export type SignedCheckpoint = Readonly<{
  /** The identity of the store that the events were read from. */
  store: string;
  /** How many events it covers. */
  events: number;
  /** Over the heads of all streams that it covers, in hex. */
  root: string;
  /** One stream by its name, or all of them. */
  covers: string;
  /** Of the last event that it covers. */
  position: Position;
  at: Moment;
}>;

/** What a checkpoint over the whole log covers. */
export const ALL_STREAMS = 'all streams';

/**
 * Under which name Charter signs. It is the same everywhere, so that the key which an auditor keeps stays right when a
 * service gets another address or its events another store; which log it is stands in the first line.
 */
export const SIGNER_NAME = 'charter';

/** Where a stream ends, as a checkpoint sees it. */
export type StreamHead = Readonly<{ stream: string; head: string }>;

/** SHA-256 over `stream head\n` of each stream, as hex; they come in the order of their names. */
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

/** What a signed checkpoint says. @throws NoteRefused, also for a text that is not exactly a checkpoint's */
export function openCheckpoint(note: string, ...known: readonly Verifier[]): SignedCheckpoint {
  const { text } = openNote(note, ...known);
  const [, store, events, root, covers, position, at] = FORM.exec(text) ?? [];
  if (at === undefined) throw new NoteRefused('The signed note is no checkpoint of Charter.');
  const checkpoint = {
    store: store!,
    events: Number(events),
    root: Buffer.from(root!, 'base64').toString('hex'),
    covers: covers!,
    position: position!,
    at,
  };
  if (textOf(checkpoint) !== text) throw new NoteRefused('The signed note is no checkpoint of Charter.');
  return checkpoint;
}

const textOf = ({ store, events, root, covers, position, at }: SignedCheckpoint): string =>
  `${sourceOf(store)}\n${events}\n${Buffer.from(root, 'hex').toString('base64')}\ncovers ${covers}\nposition ${position}\nat ${at}\n`;

/** How a log calls itself, in checkpoints and as the source of exported events. */
export const sourceOf = (store: string): string => `charter/${store}`;

const FORM = /^charter\/(\S+)\n(0|[1-9]\d{0,14})\n([\w+/]{43}=)\ncovers ([^\n]+)\nposition (\d{20})\nat (\S+)\n$/;
