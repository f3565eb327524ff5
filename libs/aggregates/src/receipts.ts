import type { Folded, Immutable, Message, Refusal } from '@charter/decider';
import type { Position } from '@charter/event-log';

/** The result of an executed command. */
export type Receipt<Event extends Message> = Readonly<{
  /** The revision of the command's last event, or the stream's current revision if the command changed nothing. */
  revision: number;
  events: readonly Event[];
  /** The position of the command's last event in the whole log; absent if the command changed nothing. */
  position?: Position;
  /** Whether the command was executed before; the events are those of the first execution. */
  repeated?: boolean;
}>;

/** The effect of commands that are not executed: the state before and after, and the events. The caller gets copies. */
export type Preview<Draft, Event extends Message, Reason extends string> =
  | Readonly<{
      revision: number;
      before: Folded<Immutable<Draft>>;
      after: Folded<Immutable<Draft>>;
      events: readonly Event[];
    }>
  | Readonly<{ revision: number; refusal: Refusal<Reason>; index: number }>;

/** Thrown when the rules refuse a command. Nothing was written. */
export class Refused<Reason extends string = string> extends Error {
  constructor(
    readonly refusal: Refusal<Reason>,
    /** The index of the refused command; absent for a single command. */
    readonly index?: number,
  ) {
    super(refusal.detail);
    this.name = 'Refused';
  }
}

/** Thrown when the stream is not at the revision that the caller expects. Nothing was written. */
export class RevisionMismatch extends Error {
  constructor(
    /** The stream's revision; −1 if it does not exist. */
    readonly actual: number,
    /**
     * The refusal that the rules would give in any case. A caller without access to the stream must learn nothing else.
     */
    readonly refusal?: Refusal,
  ) {
    super(`The stream is at revision ${actual}.`);
    this.name = 'RevisionMismatch';
  }
}

/**
 * Thrown for an event that this code cannot fold. Charter does not guess limits from such a history. Other streams are
 * not affected.
 */
export class UnreadableStream extends Error {
  constructor(
    readonly stream: string,
    readonly revision: number,
    cause: unknown,
  ) {
    super(
      `Revision ${revision} of ${stream} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
    this.name = 'UnreadableStream';
  }
}

/** Thrown when the requested revision is beyond the end of the stream. */
export class UnknownRevision extends Error {
  constructor(
    readonly stream: string,
    readonly revision: number,
    /** The stream's last revision. */
    readonly last: number,
  ) {
    super(`The stream ${stream} ends at revision ${last}.`);
    this.name = 'UnknownRevision';
  }
}
