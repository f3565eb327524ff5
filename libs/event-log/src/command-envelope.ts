import type { CommandContext, Moment } from '@charter/decider';

/** The context of one execution of a command: its actor, moment, ids and expected revision. */
export type Envelope = CommandContext &
  Readonly<{
    /**
     * The command's id, a UUID. Commands with the same id are the same command: the store writes the events of this
     * command only once. A command that is sent only once has a random id. A command that another process may repeat
     * has an id derived from its content (UUID version 5).
     */
    command: string;
    /** All commands and events that one request caused have this id. */
    correlation: string;
    /** The id of the direct cause: a request, an event, or a message from the payment provider. */
    causation: string;
    /** The revision that the stream must have; `*` means any revision of an existing stream. */
    expected?: number | '*' | undefined;
    /**
     * The digest of the events that a preview has shown to the caller. The command appends these events or is refused.
     */
    shown?: string | undefined;
  }>;

/**
 * If the command's moment is before the last event's moment, uses the last event's moment instead. Clocks can go back,
 * but moments within a stream must not.
 */
export const withMonotonicTime = <Context extends CommandContext>(context: Context, last: Moment): Context =>
  context.at < last ? { ...context, at: last } : context;
