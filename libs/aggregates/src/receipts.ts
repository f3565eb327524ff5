import type { Folded, Immutable, Message, Refusal } from '@charter/decider';
import type { Position } from '@charter/event-log';

/** What became of a command. */
export type Receipt<Event extends Message> = Readonly<{
  /** Where the stream stands with it: the revision of its last event, or the present one if nothing was new. */
  revision: number;
  events: readonly Event[];
  /** Where its append ended in the whole log; absent when nothing was new. */
  position?: Position;
  /** This very command had been answered before: the events are those of then. */
  repeated?: boolean;
}>;

/** What commands would do: the stream before and after, and the events between. Copies, for the caller to keep. */
export type Preview<Draft, Event extends Message, Reason extends string> =
  | Readonly<{
      revision: number;
      before: Folded<Immutable<Draft>>;
      after: Folded<Immutable<Draft>>;
      events: readonly Event[];
    }>
  | Readonly<{ revision: number; refusal: Refusal<Reason>; index: number }>;

/** The rules say no. Nothing was written. */
export class Refused<Reason extends string = string> extends Error {
  constructor(
    readonly refusal: Refusal<Reason>,
    /** Which of several commands was refused; absent for a single one. */
    readonly index?: number,
  ) {
    super(refusal.detail);
    this.name = 'Refused';
  }
}

/** The stream is not at the revision that the caller has seen. Nothing was written. */
export class RevisionMismatch extends Error {
  constructor(
    /** Where the stream is; −1 when there is none. */
    readonly actual: number,
    /** What the rules would have refused in any case: a caller who may not know the stream learns no more than that. */
    readonly refusal?: Refusal,
  ) {
    super(`The stream is at revision ${actual}.`);
    this.name = 'RevisionMismatch';
  }
}

/** An event that this code cannot fold. Nothing is guessed from such a history; other streams are not affected. */
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

/** A revision was asked for that lies beyond the end of its stream. */
export class UnknownRevision extends Error {
  constructor(
    readonly stream: string,
    readonly revision: number,
    /** Where the stream ends. */
    readonly last: number,
  ) {
    super(`The stream ${stream} ends at revision ${last}.`);
    this.name = 'UnknownRevision';
  }
}
