import type { DecidedCommands, Folded, Immutable, Message, Moment, Refusal } from '@charter/decider';
import type { Position } from '@charter/event-log';

/** The result of an executed command. */
export type Receipt<Event extends Message> = Readonly<{
  /** The revision of the command's last event, or the stream's current revision if the command changed nothing. */
  revision: number;
  events: readonly Event[];
  /** The position of the command's last event in the whole log; absent if the command changed nothing. */
  position?: Position;
  /** True if an earlier call executed the command; `events` are the events of that call. */
  repeated?: boolean;
}>;

/**
 * The changes that commands would make: the state before the commands, the state after the accepted commands, and the
 * events of the accepted commands. The states and the events are copies, which the caller may keep.
 */
export type Preview<Draft, Event extends Message, Reason extends string> = Readonly<{
  revision: number;
  before: Folded<Immutable<Draft>>;
  after: Folded<Immutable<Draft>>;
  /** The moment at which the commands were decided. */
  at: Moment;
}> &
  Omit<DecidedCommands<Draft, Event, Reason>, 'after'>;

/** Thrown when the rules refuse a command. Nothing was written. */
export class Refused<Reason extends string = string> extends Error {
  constructor(
    readonly refusal: Refusal<Reason>,
    /** The index of the refused command; absent if the caller sent a single command. */
    readonly index?: number,
  ) {
    super(refusal.detail);
    this.name = 'Refused';
  }
}

/** Thrown when the stream's revision differs from the revision that the caller expects. Nothing was written. */
export class RevisionMismatch extends Error {
  constructor(
    /** The stream's revision; −1 if the stream does not exist. */
    readonly actual: number,
    /**
     * The refusal by the rules, if the rules also refuse the command. A caller without access to the stream must get
     * the refusal instead of the stream's revision.
     */
    readonly refusal?: Refusal,
  ) {
    super(`The stream is at revision ${actual}.`);
    this.name = 'RevisionMismatch';
  }
}

/** Thrown when a command would append other events than the caller's preview has shown. Nothing was written. */
export class NotAsShown extends Error {
  constructor() {
    super('The preview shows other events.');
    this.name = 'NotAsShown';
  }
}

/**
 * Thrown when this code cannot fold an event of the stream. Charter computes no limits from a stream with an event that
 * cannot be folded. Other streams are not affected.
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
