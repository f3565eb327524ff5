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

/** Who did it, when, and what it belongs to: one id for everything that one request set off. */
export type AuditContext = Readonly<{
  actor: Actor;
  at: Moment;
  correlation: string;
  /** The id of what is to be told once, however often and by however many processes; random unless named. */
  command?: string;
}>;

/** Keeps the audit streams of accounts and keys (`decisions.md`, Events). */
export type AuditTrail = Readonly<{
  /** @throws what `Aggregates.tell` throws when the log gave no answer */
  record: {
    (stream: Readonly<{ account: string }>, fact: AccountFact, by: AuditContext): Promise<void>;
    (stream: Readonly<{ key: string }>, fact: KeyFact, by: AuditContext): Promise<void>;
  };
}>;

export function auditTrail(log: EventLog): AuditTrail {
  const streams = aggregates(log, accountTrail, { cachedStreamsMax: STREAMS_KEPT });
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

/** Little is remembered of each: where it ends, and the day a key was used. */
const STREAMS_KEPT = 10_000;
