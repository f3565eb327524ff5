import { createHash } from 'node:crypto';
import type { Moment } from '@charter/decider';
import type { Position } from '@charter/event-log';
import { NoteRefused, openNote, type Signer, signNote, type Verifier } from './signed-note';

/**
 * A signed checkpoint. Every export ends with a signed checkpoint, and a server signs a checkpoint over all streams at
 * intervals (`event-log.md` E). A checkpoint has the form of C2SP tlog-checkpoint: the three lines of that format,
 * followed by Charter's additional lines. The root of the checkpoint is the hash that `rootBuilder` computes, not the
 * root of a Merkle tree.
 */
export type SignedCheckpoint = Readonly<{
  /** The identity of the store that contains the events. */
  store: string;
  /**
   * The path that follows the store's id in the first line (the origin). Checkpoints of one organization have a path,
   * so that a reader does not compare them with checkpoints over the whole log. Checkpoints over the whole log have no
   * path.
   */
  path?: string;
  /** The number of events that the checkpoint covers. */
  events: number;
  /** The hash, in hex, over the heads of all streams that the checkpoint covers. */
  root: string;
  /** The name of the one stream that the checkpoint covers, or `ALL_STREAMS`. */
  covers: string;
  /** The position of the last event that the checkpoint covers. */
  position: Position;
  at: Moment;
}>;

/** The value of `covers` in a checkpoint over the whole log. */
export const ALL_STREAMS = 'all streams';

/**
 * The name with which every installation of Charter signs. The name never changes, so an auditor can use the same key
 * after the service's address or its store has changed. The first line of a checkpoint names the store.
 */
export const SIGNER_NAME = 'charter';

/** A stream and the hash of its last event, which a checkpoint covers. */
export type StreamHead = Readonly<{ stream: string; head: string }>;

/**
 * Computes the SHA-256, in hex, over one line for each stream: the stream's name, a space, the stream's head, and a
 * line feed. The caller adds the streams sorted by name.
 */
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

/** Signs a checkpoint and returns it as a note. */
export const signCheckpoint = (checkpoint: SignedCheckpoint, signer: Signer): string =>
  signNote(textOf(checkpoint), signer);

/** Verifies a note and reads its checkpoint. @throws NoteRefused, also for a note that is not a checkpoint */
export function openCheckpoint(note: string, ...known: readonly Verifier[]): SignedCheckpoint {
  const { text } = openNote(note, ...known);
  const [, store, path, events, root, covers, position, at] = FORM.exec(text) ?? [];
  if (at === undefined) throw new NoteRefused('The signed note is not a checkpoint of Charter.');
  const checkpoint = {
    store: store!,
    ...(path !== undefined && { path }),
    events: Number(events),
    root: Buffer.from(root!, 'base64').toString('hex'),
    covers: covers!,
    position: position!,
    at,
  };
  if (textOf(checkpoint) !== text) throw new NoteRefused('The signed note is not a checkpoint of Charter.');
  return checkpoint;
}

const textOf = ({ store, path, events, root, covers, position, at }: SignedCheckpoint): string =>
  `${sourceOf(store)}${path === undefined ? '' : `/${path}`}\n${events}\n${Buffer.from(root, 'hex').toString('base64')}\ncovers ${covers}\nposition ${position}\nat ${at}\n`;

/** The name of a log in checkpoints and as the source of exported events. */
export const sourceOf = (store: string): string => `charter/${store}`;

const FORM =
  /^charter\/([^\s/]+)(?:\/(\S+))?\n(0|[1-9]\d{0,14})\n([\w+/]{43}=)\ncovers ([^\n]+)\nposition (\d{20})\nat (\S+)\n$/;
