import { randomUUID } from 'node:crypto';
import type { Actor, Moment } from '@charter/decider';
import { aggregates } from '@charter/aggregates';
import type { EventLog } from '@charter/event-log';
import {
  type AccountFact,
  accountStream,
  accountTrail,
  type KeyFact,
  keyStream,
  type TrailFact,
} from '@charter/identity';

/** The actor and the time of a recorded fact. All facts that one request causes have the same correlation id. */
export type AuditContext = Readonly<{
  actor: Actor;
  at: Moment;
  correlation: string;
  /**
   * The command id of the fact; a random id by default. If several processes record a fact with the same command id,
   * the stream gets the fact only once.
   */
  command?: string;
}>;

/** Writes facts to the audit streams of accounts and keys (`decisions.md`, Events). */
export type AuditTrail = Readonly<{
  /** @throws the errors of `Aggregates.execute` if the log does not answer */
  record: {
    (stream: Readonly<{ account: string }>, fact: AccountFact, context: AuditContext): Promise<void>;
    (stream: Readonly<{ key: string }>, fact: KeyFact, context: AuditContext): Promise<void>;
  };
  /** Empties the cache of the streams, like `Aggregates.invalidate`. */
  invalidate: () => void;
}>;

export function auditTrail(log: EventLog): AuditTrail {
  // Charter also records facts after an unreadable event, which another tool wrote. Otherwise this event would lock out
  // the account's person. The server at its start and `charter verify --all` report the event.
  const options = { cachedStreamsMax: CACHED_STREAMS_MAX, skipsUnreadable: true };
  const streams = aggregates(log, accountTrail, options);
  const record = async (
    stream: Readonly<{ account: string }> | Readonly<{ key: string }>,
    fact: TrailFact,
    { actor, at, correlation, command = randomUUID() }: AuditContext,
  ) => {
    const name = 'account' in stream ? accountStream(stream.account) : keyStream(stream.key);
    await streams.execute(name, fact, { actor, at, correlation, command, causation: correlation });
  };
  return { record, invalidate: streams.invalidate };
}

/**
 * The maximum number of cached streams. A cached stream is small: it contains a revision, and the two values of
 * `AuditState`.
 */
const CACHED_STREAMS_MAX = 10_000;
