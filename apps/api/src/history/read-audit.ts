import type { ReadingFact } from '@charter/identity';
import type { Actor, Moment } from '@charter/decider';
import type { AuditTrail } from '@charter/application';
import { deterministicId } from '../http/request-context';

/** The reader of a history, the moment of the read, and the correlation id of the request. */
export type HistoryReader = Readonly<{ actor: Actor; at: Moment; correlation: string }>;

/**
 * Before the first event is sent, records in the reader's audit stream that the reader read or exported a history. The
 * id of the recording command is derived from the kind of read, the reader, the organization and the hour. All
 * processes together therefore record reads of the same kind, reader and organization at most once an hour. A platform
 * role lets a person read the changes of all organizations, so the id of `ChangesRead` also depends on whether the
 * reader has a platform role.
 * @throws the errors of `Aggregates.execute`; the reader then receives no event
 */
export type RecordRead = (fact: ReadingFact, reader: HistoryReader) => Promise<void>;

export function createReadAudit(trail: AuditTrail): RecordRead {
  const known = new Set<string>();
  return async (fact, { actor, at, correlation }) => {
    const hour = at.slice(0, 'YYYY-MM-DDTHH'.length);
    const scope = actor.powers.length > 0 ? 'all' : 'own';
    const organization = 'organization' in fact.data ? fact.data.organization : scope;
    const command = deterministicId('read', fact.type, actor.kind, actor.id, organization, hour);
    if (known.has(command)) return;
    const context = { actor, at, correlation, command };
    if (actor.kind === 'account') await trail.record({ account: actor.id }, fact, context);
    if (actor.kind === 'key') await trail.record({ key: actor.id }, fact, context);
    if (known.size >= KNOWN_MAX) known.clear();
    known.add(command);
  };
}

/**
 * The maximum number of cached command ids of recorded reads. If an id is not cached, the process reads the reader's
 * audit stream.
 */
const KNOWN_MAX = 10_000;
