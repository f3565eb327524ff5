import { randomUUID } from 'node:crypto';
import { loadCatalogue } from '@charter/catalogue';
import type { Database } from '@charter/database';
import { aggregates, UnreadableStream } from '@charter/aggregates';
import type { EventLog } from '@charter/event-log';
import { type PoisonAlarm, Poisoned, project, rebuild, verifyView } from '@charter/projections';
import { type OrganizationCommand, organizationDecider, organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { operator } from '../../libs/organization/src/testing/organization.testing';
import { until } from '../support/serving';

type Bad = Readonly<{ type: string; data: object; metadata?: object }>;

const ours = () => ({
  command: randomUUID(),
  correlation: randomUUID(),
  causation: randomUUID(),
  actor: { kind: 'system', id: 'spec' },
  at: '2026-11-21T10:00:00.000Z',
  schema: 1,
  previousHash: '',
  hash: '',
});

/**
 * The kinds of events that a newer version or another writer may append to a stream, although this version cannot fold
 * them.
 */
export const poisons: readonly (readonly [string, Bad])[] = [
  ['an unknown type', { type: 'NeverHeardOf', data: {} }],
  ['a missing field', { type: 'LimitsConfigured', data: {} }],
  ['a missing name', { type: 'OrganizationRenamed', data: {} }],
  ['a name that is a number', { type: 'OrganizationRenamed', data: { name: 5 } }],
  ['a field that no release had', { type: 'OrganizationRenamed', data: { name: 'Acme', note: 'new' } }],
  ['a member without id and role', { type: 'MemberAdded', data: {} }],
  [
    'a plan without terms',
    { type: 'PlanAssigned', data: { line: 'second', plan: 'solo', effectiveAt: '2026-11-21T10:00:00.000Z' } },
  ],
  ['a member that is not there', { type: 'MemberRoleChanged', data: { member: randomUUID(), role: 'admin' } }],
  ['an object where a text belongs', { type: 'PlanEnded', data: { line: { first: true } } }],
  ['a future schema', { type: 'OrganizationRenamed', data: { name: 'Later' }, metadata: { ...ours(), schema: 9 } }],
  ['metadata without our fields', { type: 'OrganizationRenamed', data: { name: 'Whose?' }, metadata: {} }],
  ['nearly a megabyte of nonsense', { type: 'OrganizationRenamed', data: { name: ['x'.repeat(1_000_000)] } }],
  ['a field with a long name', { type: 'OrganizationRenamed', data: { name: 'Acme', ['x'.repeat(900_000)]: 1 } }],
];

/**
 * P1 to P4: checks that one such event in the middle of a batch parks only its own organization. The projector must
 * raise an alarm with the type and the position of the event. A rebuild must be refused until the stream is released.
 */
export async function expectOneParked(log: EventLog, database: Database, bad: Bad): Promise<void> {
  const { execute } = aggregates(log, organizationDecider(loadCatalogue()));
  const [sick, ...well] = Array.from({ length: 4 }, () => randomUUID());
  const send = (id: string, command: OrganizationCommand) => {
    const command_ = randomUUID();
    const by = { actor: operator, at: '2026-11-21T10:00:00.000Z', command: command_, correlation: id, causation: id };
    return execute(organizationStream(id), command, by);
  };
  const stream = organizationStream(sick!);
  const view = database.view(organizationView);
  for (const id of [sick!, ...well]) await send(id, { type: 'FoundOrganization', data: { name: 'Acme' } });
  await send(well[0]!, { type: 'RenameOrganization', data: { name: 'Before' } });
  const event = { id: randomUUID(), metadata: ours(), ...bad };
  const { position } = await log.append(stream, [event], { expected: 0n });
  await send(well[1]!, { type: 'RenameOrganization', data: { name: 'After' } });

  const alarms: PoisonAlarm[] = [];
  let ahead = 0;
  const projection = project(log, view, organizationView, {
    alarm: (alarm) => void alarms.push(alarm),
    elapsed: () => performance.now() + (ahead += 50),
  });
  try {
    await projection.whenProcessed(await log.head(), { timeout: 30_000 });
    await until(() => alarms.length > 0, 20_000);
    expect(alarms).toMatchObject([{ attempts: 4, event: { stream, type: bad.type, position } }]);
    const live = (await view.live())!;
    const { parked } = await live.status();
    expect([...parked]).toMatchObject([[stream, { revision: 1, type: bad.type, position, attempts: 4 }]]);
    const neighbours = await Promise.all(well.map(async (id) => (await view.get(organizationStream(id)))!));
    expect(neighbours.map(({ revision, state }) => [revision, state.name])).toEqual([
      [1, 'Before'],
      [1, 'After'],
      [0, 'Acme'],
    ]);
    expect(await view.get(stream)).toBeUndefined();
    // the projector has folded events up to this revision, and can continue after it
    expect((await live.get(stream))!.revision).toBe(0);

    await expect(rebuild(log, view, organizationView)).rejects.toThrow(Poisoned);
    expect((await view.live())!.id).toBe(live.id);
    expect((await send(well[2]!, { type: 'RenameOrganization', data: { name: 'Yes' } })).revision).toBe(1);
    expect((await verifyView(log, live, organizationView)).differences).toMatchObject([{ stream }]);
    expect(projection.now().phase).toBe('running');

    await expect(send(sick!, { type: 'RenameOrganization', data: { name: 'Well again' } })).rejects.toThrow(
      UnreadableStream,
    );
  } finally {
    await projection.stop();
  }
}
