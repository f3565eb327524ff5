import type { Database } from '@charter/database';
import type { Lease } from '@charter/projections';
import type { Settings } from '@charter/settings';

/**
 * What one process at a time does for all (`docs/adr/0013-leader-election-by-lease.md`). Two leases: mails go out also
 * while no process can project, and a process that cannot project does not keep another one from projecting.
 */
export type Leases = Readonly<{ projections: Lease; outbox: Lease }>;

/** A process that only answers sees who has them, and asks for none. */
export function leasesOf({ lease }: Pick<Database, 'lease'>, { role }: Pick<Settings, 'role'>): Leases {
  const leases = { projections: lease('projections'), outbox: lease('outbox') };
  return role === 'api' ? { projections: seen(leases.projections), outbox: seen(leases.outbox) } : leases;
}

const seen = ({ held }: Lease): Lease => ({
  held,
  hold: () => Promise.resolve(false),
  release: () => Promise.resolve(),
});
