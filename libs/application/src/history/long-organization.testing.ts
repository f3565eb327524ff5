import { randomUUID } from 'node:crypto';
import { aggregates } from '@charter/aggregates';
import { loadCatalogue } from '@charter/catalogue';
import { type EventLog, MemoryLog } from '@charter/event-log';
import { organizationDecider, organizationStream } from '@charter/organization';
import type { Organizations } from '../organizations/organizations';
import { createSnapshotReplay } from './snapshots/snapshot-replay';

export const id = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
export const stream = organizationStream(id);

/**
 * Creates an organization with this many events. `reads` lists the ranges of revisions that a reader has read from the
 * organization's log.
 */
export async function organizationOf(events: number, names = 'name') {
  const memory = new MemoryLog();
  const reads: (readonly [from: number, count: number])[] = [];
  const log = Object.create(memory, {
    readStream: {
      value: (name: string, options: { from: bigint; maxCount?: number }) => {
        if (options.maxCount !== undefined) reads.push([Number(options.from), options.maxCount]);
        return memory.readStream(name, options);
      },
    },
  }) as EventLog;
  const organizations = aggregates(log, organizationDecider(loadCatalogue()));
  const execute = (commands: Parameters<typeof organizations.execute>[1], minute: number) => {
    const command = randomUUID();
    const at = new Date(Date.UTC(2026, 10, 1) + minute * 60_000).toISOString();
    const actor = { kind: 'account', id: 'op', powers: ['operator'] } as const;
    return organizations.execute(stream, commands, { actor, at, command, correlation: command, causation: command });
  };
  await execute({ type: 'FoundOrganization', data: { name: 'Acme' } }, 0);
  for (let from = 1; from < events; from += 100)
    await execute(
      Array.from({ length: Math.min(100, events - from) }, (_, index) => ({
        type: 'RenameOrganization' as const,
        data: { name: `${names} ${from + index}` },
      })),
      from,
    );
  reads.length = 0;
  return { ...replaying(organizations), log, reads, execute };
}

/** Organizations, and an empty cache of their states. */
export const replaying = (organizations: Organizations) => ({
  organizations,
  snapshotReplay: createSnapshotReplay({ organizations }),
});

/** Passes each call to `current.organizations`, which a spec can replace by another log's organizations. */
export const proxyOf = <Part extends object>(current: { organizations: Part }): Part =>
  new Proxy({} as Part, { get: (_, name) => Reflect.get(current.organizations, name) as unknown });
