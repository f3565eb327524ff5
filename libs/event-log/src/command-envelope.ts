import type { CommandContext, Moment } from '@charter/decider';

/** The circumstances of one execution of a command: actor, moment, ids and expected revision. */
export type Envelope = CommandContext &
  Readonly<{
    /**
     * The command's id, a UUID. Two commands with one id are one command: its events are written once. A command that
     * cannot be repeated gets a random id. A command that another process may repeat gets an id that is derived from
     * its content (version 5).
     */
    command: string;
    /** One id for all events and mails that a request caused. */
    correlation: string;
    /** The direct cause: the id of a request, of an event, or of a message from the payment provider. */
    causation: string;
    /** The revision that the caller has seen and wants to change; `*` means any revision of an existing stream. */
    expected?: number | '*' | undefined;
  }>;

/**
 * Raises a command's moment to the moment of the last event. Clocks may run backwards, but moments within a stream may
 * not.
 */
export const withMonotonicTime = <Context extends CommandContext>(context: Context, last: Moment): Context =>
  context.at < last ? { ...context, at: last } : context;
