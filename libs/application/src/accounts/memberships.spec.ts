import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventLog, LogError, type Position } from '@charter/event-log';
import { project } from '@charter/projections';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { accountMembershipsOf } from './memberships';
import { type Charter, openCharter } from '../charter';
import { parseSettings } from '@charter/settings';

const folder = mkdtempSync(join(tmpdir(), 'charter-belonging-'));
let charter: Charter;
beforeAll(async () => void (charter = await openCharter(parseSettings({ CHARTER_DATA: folder }), 'server')));
afterAll(async () => {
  await charter.close();
  rmSync(folder, { recursive: true });
});

const execute = (organization: string, command: OrganizationCommand) => {
  const id = randomUUID();
  const actor = { kind: 'system', id: 'spec', powers: ['operator'] } as const;
  const context = { actor, at: new Date().toISOString(), command: id, correlation: id, causation: id };
  return charter.organizations.execute(organizationStream(organization), command, context);
};
const founded = async (name: string, member: string): Promise<string> => {
  const id = randomUUID();
  await execute(id, { type: 'FoundOrganization', data: { name } });
  await execute(id, { type: 'AddMember', data: { member, role: 'owner' } });
  return id;
};
/** Lets the read model handle all events up to a position of the log. */
async function projectedTo(position: Position): Promise<void> {
  const projection = project(charter.log, charter.view, organizationView, { alarm: () => undefined });
  await projection.whenProcessed(position, { timeout: 10_000 });
  await projection.stop();
}

it('are found even if the log cannot continue from the checkpoint of the read model', async () => {
  const member = randomUUID();
  await founded('Acme', member);
  const context = { actor: { kind: 'system', id: 'spec', powers: [] } as const, at: new Date().toISOString() };
  await charter.trail.record(
    { account: member },
    { type: 'NamesChanged', data: {} },
    { ...context, correlation: randomUUID() },
  );
  // The last event belongs to an account's stream. The read model does not read the streams of accounts.
  const bare = await charter.log.head();
  await projectedTo(bare);
  await founded('Beyond', member);

  const { log } = charter;
  const strict: Pick<EventLog, 'readAll'> = {
    readAll: (options = {}) => {
      if (options.from !== bare) return log.readAll(options);
      return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(nothingThere) }) };
    },
  };
  const head = () => log.head();
  const stores = { ...charter, log: { ...strict, head, identity: () => log.identity() } as EventLog };
  const names = (await accountMembershipsOf(stores, member)).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['Acme', 'Beyond']);
});

it('are found in an organization whose stream is parked and not in the read model', async () => {
  const member = randomUUID();
  const stream = organizationStream(await founded('Parked', member));
  const metadata = { command: randomUUID(), actor: { kind: 'system', id: 'spec' }, at: new Date().toISOString() };
  await charter.log.append(stream, [{ id: randomUUID(), type: 'MemberAdded', data: {}, metadata }], { expected: 1n });
  await projectedTo(await charter.log.head());
  expect(await charter.view.get(stream)).toBeUndefined();
  const names = (await accountMembershipsOf(charter, member)).map(({ name }) => name);
  expect(names).toEqual(['Parked']);
});

const nothingThere = new LogError('invalid-position', 'No event begins there.');
