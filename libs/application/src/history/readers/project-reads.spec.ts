import { randomUUID } from 'node:crypto';
import type { Database } from '@charter/database';
import { MemoryLog } from '@charter/event-log';
import type { AccountFact, KeyFact } from '@charter/identity';
import { databases, type TestDatabase } from '../../../../database/src/database.testing';
import { auditTrail } from '../../accounts/audit-trail';
import { createReadsProjector } from './project-reads';

const organization = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const [ada, op, shop] = [randomUUID(), randomUUID(), randomUUID()];
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString();
const read = { type: 'HistoryRead', data: { organization } } as const;
const followed = { type: 'ChangesRead', data: {} } as const;
const role = (name: 'operator' | 'auditor' | null) => ({ type: 'RoleAssigned', data: { role: name } }) as const;

describe.each(databases)('Projection of readers into %s', (_database, make) => {
  let place: TestDatabase;
  let database: Database;
  let log: MemoryLog;
  beforeEach(async () => {
    place = await make();
    database = await place.open();
    log = new MemoryLog();
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });

  const record = async (who: { account: string } | { key: string }, fact: AccountFact & KeyFact, minute: number) => {
    const actor = { kind: 'system', id: 'spec', powers: [] } as const;
    const context = { actor, at: at(minute), correlation: randomUUID() };
    const { record: write } = auditTrail(log);
    await ('account' in who ? write(who, fact, context) : write(who, fact, context));
  };
  const recordRole = (account: string, fact: AccountFact, minute: number) => {
    const actor = { kind: 'system', id: 'spec', powers: [] } as const;
    return auditTrail(log).record({ account }, fact, { actor, at: at(minute), correlation: randomUUID() });
  };
  const all = (scope: string) => ({ scope, from: at(0), to: at(10_000) });
  const reads = async (...scopes: string[]) => {
    const page = await database.historyReads.page(scopes.map(all), { limit: 2_000 });
    return page.map(({ scope, at: moment, reader, did, role: as }) => [scope, moment, reader, did, as]);
  };
  const here = `organization-${organization}`;

  it("stores for each read the history, the reader, and the reader's platform role at that time", async () => {
    await recordRole(op, role('operator'), 0);
    await record({ account: op }, read, 1);
    await record({ account: op }, followed, 2);
    await recordRole(op, role('auditor'), 3);
    await record({ account: op }, { type: 'HistoryExported', data: { organization } }, 4);
    await recordRole(op, role(null), 5);
    await record({ account: op }, followed, 6);
    await record({ account: ada }, read, 7);
    await record({ account: ada }, followed, 8);
    await record({ key: shop }, followed, 9);
    await createReadsProjector({ log, database }).catchUp();
    expect(await reads(here, 'all', `account-${ada}`, `account-${op}`)).toEqual([
      ['all', at(9), shop, 'followed', null],
      [`account-${ada}`, at(8), ada, 'followed', null],
      [here, at(7), ada, 'read', null],
      [`account-${op}`, at(6), op, 'followed', null],
      [here, at(4), op, 'exported', 'auditor'],
      ['all', at(2), op, 'followed', 'operator'],
      [here, at(1), op, 'read', 'operator'],
    ]);
  });

  it('continues in another process with the stored platform roles, and stores no read twice', async () => {
    await recordRole(op, role('operator'), 0);
    await createReadsProjector({ log, database }).catchUp();
    await record({ account: op }, read, 1);
    const beside = await place.open();
    const projectors = [createReadsProjector({ log, database }), createReadsProjector({ log, database: beside })];
    for (let minute = 2; minute < 6; minute += 1) {
      await Promise.all(projectors.map(({ catchUp }) => catchUp()));
      await record({ account: op }, read, minute);
    }
    await Promise.all(projectors.map(({ catchUp }) => catchUp()));
    await beside.close();
    expect(await reads(here)).toEqual([5, 4, 3, 2, 1].map((minute) => [here, at(minute), op, 'read', 'operator']));
  });

  it('stores more reads than fit in one batch, and can stop between two batches', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => ({
      ...{ id: randomUUID(), type: 'HistoryRead', data: { organization } },
      metadata: { at: at(index) },
    }));
    for (let from = 0; from < many.length; from += 100)
      await log.append(`account-${ada}`, many.slice(from, from + 100), { expected: 'any' });
    const projector = createReadsProjector({ log, database });
    await projector.catchUp(() => true);
    expect(await reads(here)).toHaveLength(0);
    await projector.catchUp();
    expect(await reads(here)).toHaveLength(1_200);
  });

  it.each(['exchanged', 'restored to an earlier state'])('begins anew after the log was %s', async (what) => {
    await recordRole(op, role('operator'), 0);
    await record({ account: op }, read, 1);
    await createReadsProjector({ log, database }).catchUp();
    const { store } = log;
    if (what === 'exchanged') log = new MemoryLog();
    else {
      store.streams.get(`account-${op}`)!.pop();
      store.rows.pop();
    }
    await record({ account: ada }, read, 2);
    await createReadsProjector({ log, database }).catchUp();
    expect(await reads(here)).toEqual([[here, at(2), ada, 'read', null]]);
    expect([...(await database.historyReads.rolesOf([op]))]).toEqual(what === 'exchanged' ? [] : [[op, 'operator']]);
  });

  it('begins anew if another version of Charter stored the progress', async () => {
    const { historyReads } = database;
    await record({ account: ada }, read, 1);
    await createReadsProjector({ log, database }).catchUp();
    const stored = (await historyReads.progress())!;
    const to = JSON.stringify({ ...(JSON.parse(stored) as object), version: 0 });
    const other = { scope: here, at: at(0), kind: 'account', reader: op, did: 'read', role: null } as const;
    await historyReads.commit({ from: stored, to, reads: [other], roles: new Map([[op, 'operator']]) });
    await createReadsProjector({ log, database }).catchUp();
    expect(await reads(here)).toEqual([[here, at(1), ada, 'read', null]]);
    expect([...(await historyReads.rolesOf([op]))]).toEqual([]);
  });

  it('skips malformed events and events of unknown types, and removes the role of an erased person', async () => {
    const odd = (type: string, data: object, metadata?: object) => ({
      ...{ id: randomUUID(), type, data },
      ...(metadata && { metadata }),
    });
    await log.append(
      `account-${ada}`,
      [
        odd('HistoryRead', { organization }),
        odd('HistoryRead', { organization }, { at: 'yesterday' }),
        odd('HistoryRead', { organization }, { at: '+010000-01-01T00:00:00.000Z' }),
        odd('HistoryRead', { organization: 7 }, { at: at(1) }),
        odd('Unknown', {}, { at: at(1) }),
      ],
      { expected: 'no_stream' },
    );
    await record({ account: ada }, read, 2);
    await recordRole(op, role('operator'), 3);
    await recordRole(op, { type: 'AccountErased', data: {} }, 4);
    await createReadsProjector({ log, database }).catchUp();
    expect(await reads(here)).toEqual([[here, at(2), ada, 'read', null]]);
    expect([...(await database.historyReads.rolesOf([op]))]).toEqual([]);
  });

  it('writes its progress at most once a minute while no audit stream has new events', async () => {
    let now = 0;
    const projector = createReadsProjector({ log, database }, () => now);
    const other = async () => {
      await log.append('organization-x', [{ id: randomUUID(), type: 'A', data: {} }], { expected: 'any' });
      await projector.catchUp();
      return database.historyReads.progress();
    };
    const first = await other();
    expect(first).toBeDefined();
    now = 59_999;
    expect(await other()).toBe(first);
    now = 60_000;
    expect(await other()).not.toBe(first);
    await record({ account: ada }, read, 1);
    await projector.catchUp();
    expect(await reads(here)).toHaveLength(1);
  });
});
