import type { Database } from '@charter/database';
import type { Lease } from '@charter/projections';
import type { Settings } from '@charter/settings';

/**
 * The leases for work that only one process does at a time (`docs/adr/0013-leader-election-by-lease.md`). Projecting
 * and sending mails have separate leases. Charter therefore sends mails even if no process can project.
 */
export type Leases = Readonly<{ projections: Lease; outbox: Lease }>;

/** A process with ROLE=api reads which processes hold the leases, but never takes a lease. */
export function leasesOf({ lease }: Pick<Database, 'lease'>, { role }: Pick<Settings, 'role'>): Leases {
  const leases = { projections: lease('projections'), outbox: lease('outbox') };
  return role === 'api' ? { projections: seen(leases.projections), outbox: seen(leases.outbox) } : leases;
}

const seen = ({ held }: Lease): Lease => ({
  held,
  hold: () => Promise.resolve(false),
  release: () => Promise.resolve(),
});
