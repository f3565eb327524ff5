import type { ReadingFact } from '@charter/identity';
import type { Actor, Moment } from '@charter/decider';
import type { AuditTrail } from '@charter/application';
import { deterministicId } from '../http/request-context';

/** The reader, the moment and the request. */
export type HistoryReader = Readonly<{ actor: Actor; at: Moment; correlation: string }>;

/**
 * Writes into the reader's own stream that they looked into a history or took it away, before they see any of it: once
 * an hour for each reader and organization, whichever process is asked, for the hour is part of the command's id.
 * @throws what `Aggregates.tell` throws when the log gave no answer: nobody reads what cannot be told
 */
export type RecordRead = (fact: ReadingFact, reader: HistoryReader) => Promise<void>;

export function createReadAudit(trail: AuditTrail): RecordRead {
  const known = new Set<string>();
  return async (fact, { actor, at, correlation }) => {
    const hour = at.slice(0, 'YYYY-MM-DDTHH'.length);
    const organization = 'organization' in fact.data ? fact.data.organization : 'all';
    const command = deterministicId('read', fact.type, actor.kind, actor.id, organization, hour);
    if (known.has(command)) return;
    const by = { actor, at, correlation, command };
    if (actor.kind === 'account') await trail.record({ account: actor.id }, fact, by);
    if (actor.kind === 'key') await trail.record({ key: actor.id }, fact, by);
    if (known.size >= KNOWN_MAX) known.clear();
    known.add(command);
  };
}

/** Cached readers and hours; a missing entry is read from the reader's stream. */
const KNOWN_MAX = 10_000;
