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

/** The actor and the time of a recorded fact, and one correlation id for everything that a request causes. */
export type AuditContext = Readonly<{
  actor: Actor;
  at: Moment;
  correlation: string;
  /** An id for a fact that several processes may record, so that it is recorded once; random by default. */
  command?: string;
}>;

/** Writes the audit streams of accounts and keys (`decisions.md`, Events). */
export type AuditTrail = Readonly<{
  /** @throws the errors of `Aggregates.execute` when the log gives no answer */
  record: {
    (stream: Readonly<{ account: string }>, fact: AccountFact, context: AuditContext): Promise<void>;
    (stream: Readonly<{ key: string }>, fact: KeyFact, context: AuditContext): Promise<void>;
  };
}>;

export function auditTrail(log: EventLog): AuditTrail {
  const streams = aggregates(log, accountTrail, { cachedStreamsMax: CACHED_STREAMS_MAX });
  const record = async (
    stream: Readonly<{ account: string }> | Readonly<{ key: string }>,
    fact: TrailFact,
    { actor, at, correlation, command = randomUUID() }: AuditContext,
  ) => {
    const name = 'account' in stream ? accountStream(stream.account) : keyStream(stream.key);
    await streams.execute(name, fact, { actor, at, correlation, command, causation: correlation });
  };
  return { record };
}

/** Cached streams. Each entry is small: its revision, and the day of the last use of a key. */
const CACHED_STREAMS_MAX = 10_000;
