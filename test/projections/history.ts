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

/** So many random commands to so many organizations, many at once, by the real rules: what they do is in the log. */
export async function live(log: EventLog, commands: number, organizations: number): Promise<void> {
  const { execute } = aggregates(log, organizationDecider(loadCatalogue()));
  const ids = Array.from({ length: organizations }, () => randomUUID());
  const say = async (id: string, command: OrganizationCommand, asker: object, minutes: number) => {
    const [command_, at] = [randomUUID(), momentAfter(0, minutes)];
    const by = { actor: operator, ...asker, at, command: command_, correlation: command_, causation: command_ };
    await execute(organizationStream(id), command, by).catch((error: unknown) => {
      if (!(error instanceof Refused || error instanceof RevisionMismatch)) throw error; // a no is an answer
    });
  };
  for (const id of ids) await say(id, { type: 'FoundOrganization', data: { name: 'Acme' } }, {}, 0);
  for (let asked = 0; asked < commands; asked += PAGE) {
    const page = fc.sample(anyTelling(organizations), {
      numRuns: Math.min(PAGE, commands - asked),
      seed: seed + asked,
    });
    const left = page.entries();
    const caller = async () => {
      for (const [index, { command, asker, place }] of left)
        await say(ids[place]!, command, asker, Math.floor((asked + index) / 50));
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  }
}

const anyTelling = (organizations: number) =>
  fc.record({ command: anyCommand, asker: anyAsker, place: fc.nat({ max: organizations - 1 }) });
