import { randomUUID } from 'node:crypto';
import { aggregates } from '@charter/aggregates';
import { loadCatalogue } from '@charter/catalogue';
import type { EventLog } from '@charter/event-log';
import { organizationDecider, organizationStream } from '@charter/organization';
import { operator } from '../../libs/organization/src/testing/organization.testing';

/**
 * Founds organizations with the real rules, and renames each of them `renames` times; then renames all of them as often
 * again. So each organization has 1 + 2 × `renames` events, and new organizations appear during the first half of the
 * history.
 */
export async function appendLongHistory(log: EventLog, organizations: number, renames: number): Promise<void> {
  const { execute } = aggregates(log, organizationDecider(loadCatalogue()));
  const streams = Array.from({ length: organizations }, () => organizationStream(randomUUID()));
  const by = () => {
    const command = randomUUID();
    return { actor: operator, at: '2026-11-01T00:00:00.000Z', command, correlation: command, causation: command };
  };
  const rename = (stream: string) => {
    const names = Array.from({ length: renames }, (_, index) => `Name ${index}`);
    return execute(
      stream,
      names.map((name) => ({ type: 'RenameOrganization', data: { name } }) as const),
      by(),
    );
  };
  const inOrder = async (work: (stream: string) => Promise<unknown>) => {
    const left = streams.values();
    const caller = async () => {
      for (const stream of left) await work(stream);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  };
  await inOrder(async (stream) => {
    await execute(stream, { type: 'FoundOrganization', data: { name: 'Acme' } }, by());
    await rename(stream);
  });
  await inOrder(rename);
}

const CALLERS = 64;
