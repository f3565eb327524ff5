import type { Folded, Immutable, Message, Refusal } from '@charter/decider';
import type { Position } from '@charter/event-log';

/** The result of an executed command. */
export type Receipt<Event extends Message> = Readonly<{
  /** The revision of its last event, or the stream's current revision if there was nothing to change. */
  revision: number;
  events: readonly Event[];
  /** The position of its last event in the whole log; absent if there was nothing to change. */
  position?: Position;
  /** Whether the command was executed before; the events are those of the first execution. */
  repeated?: boolean;
}>;

/** The result of commands without execution: the state before and after, and the events. Copies for the caller. */
export type Preview<Draft, Event extends Message, Reason extends string> =
  | Readonly<{
      revision: number;
      before: Folded<Immutable<Draft>>;
      after: Folded<Immutable<Draft>>;
      events: readonly Event[];
    }>
  | Readonly<{ revision: number; refusal: Refusal<Reason>; index: number }>;

/** The rules refuse a command. Nothing was written. */
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

/** The stream is not at the revision that the caller expects. Nothing was written. */
export class RevisionMismatch extends Error {
  constructor(
    /** The stream's revision; −1 if it does not exist. */
    readonly actual: number,
    /**
     * The refusal that the rules would give anyway: a caller without access to the stream must learn no more than that.
     */
    readonly refusal?: Refusal,
  ) {
    super(`The stream is at revision ${actual}.`);
    this.name = 'RevisionMismatch';
  }
}

/** An event that this code cannot fold. Limits are not guessed from such a history; other streams are not affected. */
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

/** The requested revision is beyond the end of the stream. */
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
