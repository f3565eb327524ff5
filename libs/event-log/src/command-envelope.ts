import type { CommandContext, Moment } from '@charter/decider';

/** The circumstances of one execution of a command: actor, moment, ids and expected revision. */
export type Envelope = CommandContext &
  Readonly<{
    /**
     * The command's id, a UUID. The same id again is the same command: its events are written once. A random id for a
     * command that cannot come again; an id derived from its content (version 5) for one that another process may
     * repeat.
     */
    command: string;
    /** The same id for everything that one request caused. */
    correlation: string;
    /** The direct cause: the id of a request, an event, or a message from the payment provider. */
    causation: string;
    /** The revision that the caller has seen and wants to change; `*` means any revision of an existing stream. */
    expected?: number | '*' | undefined;
  }>;

/** Moves a command's moment up to that of the last event: clocks may run backwards, moments within a stream may not. */
export const withMonotonicTime = <Context extends CommandContext>(context: Context, last: Moment): Context =>
  context.at < last ? { ...context, at: last } : context;
