import type { CommandContext, Moment } from '@charter/decider';

/** Who asks, when, and which command this is: everything about a command that its rules do not say. */
export type Envelope = CommandContext &
  Readonly<{
    /**
     * The command's id, a UUID. The same id again is the same command: it happens once. Random for a command that nobody
     * can repeat; made from something (version 5) for one that may come again, also to another process.
     */
    command: string;
    /** What this belongs to: one id for everything that one request set off. */
    correlation: string;
    /** What set this off: a request, an event, or the payment provider's message. */
    causation: string;
    /** The revision that the caller has seen and wants to change; `*`: any, as long as there is one. */
    expected?: number | '*' | undefined;
  }>;

/** Asked at the moment that its events will carry: a clock may run backwards, a stream may not. */
export const withMonotonicTime = <By extends CommandContext>(by: By, last: Moment): By =>
  by.at < last ? { ...by, at: last } : by;
