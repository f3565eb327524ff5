import { randomUUID } from 'node:crypto';
import { loadCatalogue } from '@charter/catalogue';
import { aggregates, RevisionMismatch, Refused } from '@charter/aggregates';
import type { EventLog } from '@charter/event-log';
import { type OrganizationCommand, organizationDecider, organizationStream } from '@charter/organization';
import fc from 'fast-check';
import { anyAsker, anyCommand, momentAfter } from '../../libs/organization/src/testing/any-command.testing';
import { operator } from '../../libs/organization/src/testing/organization.testing';
import { seed } from './seed';

const CALLERS = 64;
const PAGE = 5_000;

/**
 * Executes random commands on organizations with the real rules, many commands at once, and appends their events to the
 * log.
 */
export async function live(log: EventLog, commands: number, organizations: number): Promise<void> {
  const { execute } = aggregates(log, organizationDecider(loadCatalogue()));
  const ids = Array.from({ length: organizations }, () => randomUUID());
  const send = async (id: string, command: OrganizationCommand, asker: object, minutes: number) => {
    const [command_, at] = [randomUUID(), momentAfter(0, minutes)];
    const by = { actor: operator, ...asker, at, command: command_, correlation: command_, causation: command_ };
    await execute(organizationStream(id), command, by).catch((error: unknown) => {
      // the rules may refuse this random command
      if (!(error instanceof Refused || error instanceof RevisionMismatch)) throw error;
    });
  };
  for (const id of ids) await send(id, { type: 'FoundOrganization', data: { name: 'Acme' } }, {}, 0);
  for (let executed = 0; executed < commands; executed += PAGE) {
    const page = fc.sample(anyCall(organizations), {
      numRuns: Math.min(PAGE, commands - executed),
      seed: seed + executed,
    });
    const left = page.entries();
    const caller = async () => {
      for (const [index, { command, asker, place }] of left)
        await send(ids[place]!, command, asker, Math.floor((executed + index) / 50));
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }
}

const anyCall = (organizations: number) =>
  fc.record({ command: anyCommand, asker: anyAsker, place: fc.nat({ max: organizations - 1 }) });
