import type { Documents } from '@charter/documents';
import type { Lease } from '@charter/event-log';
import type { Settings } from '@charter/wiring';

/**
 * What one process at a time does for all (`docs/adr/0013`). Two leases, so that mails go out also while nobody can project,
 * and a process that cannot project keeps nobody else from it.
 */
export type Leases = Readonly<{ projections: Lease; outbox: Lease }>;

/** A process that only answers asks for none of them. */
export const leasesOf = (documents: Pick<Documents, 'lease'>, { role }: Pick<Settings, 'role'>): Leases =>
  role === 'api'
    ? { projections: neverOurs, outbox: neverOurs }
    : { projections: documents.lease('projections'), outbox: documents.lease('outbox') };

const neverOurs: Lease = { hold: () => Promise.resolve(false), release: () => Promise.resolve() };
