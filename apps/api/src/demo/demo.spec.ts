import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BillingFact, reconciled } from '@charter/billing';
import type { ReplayRange } from '@charter/aggregates';
import { verifyChain } from '@charter/integrity';
import { entitlementsOf, heldPlans, organizationStream, repetitionsOf } from '@charter/organization';
import { publicDocument } from '@charter/organization-view';
import { newKey, scopes } from '@charter/identity';
import { type Charter, openCharter, secureRandom } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { demoKey, demoPeople, demoText, isDemo, prepareDemo } from './demo';
import { demoSignIns } from './demo-people';

const now = Date.parse('2026-11-21T10:00:00.000Z');
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/**
 * Opens a store with these settings as the server does at its start, runs a function on the store, and closes the
 * store.
 */
async function onStart<Result>(
  folder: string,
  environment: Record<string, string>,
  work: (charter: Charter) => Promise<Result>,
): Promise<Result> {
  const charter = await openCharter(parseSettings({ CHARTER_DATA: folder, ...environment }), 'server');
  return work(charter).finally(() => charter.close());
}
const empty = () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-demo-'));
  folders.push(folder);
  return folder;
};
const prepare = (charter: Charter) => prepareDemo(charter, Date.now);
/** A store after the first start of a server, for the tests that only read. */
const prepared = () => (first ??= onFirstStart());
let first: Promise<string> | undefined;
async function onFirstStart(): Promise<string> {
  const folder = empty();
  await onStart(folder, {}, prepare);
  return folder;
}
const eventsIn = (charter: Charter) => charter.log.lag!('0'.repeat(20));

describe('First start of a demo', () => {
  it('founds organizations whose plans and limits match their descriptions', async () => {
    await onStart(await prepared(), {}, async (charter) => {
      const found = await prepare(charter);
      const lives = await Promise.all(
        found.map(async ({ id }) => (await charter.organizations.stateAt(organizationStream(id), latest))!),
      );
      const shown = lives.map((life) => ({
        ...(publicDocument('', 'pulse')(life, life.at) as unknown as { pulseDetails: object; plans: object }),
        users: entitlementsOf(life.state, life.at).limits.users,
      }));
      const [near, parallel, over] = shown;

      expect(near!.plans).toMatchObject({ first: null, second: { plan: 'teams' } });
      expect(near!.users).toMatchObject({ effective: 7, used: 6 });
      expect(parallel!.plans).toMatchObject({ first: { plan: 'professional' }, second: { plan: 'teams' } });
      expect(parallel!.pulseDetails).toMatchObject({ parallelUse: true });
      expect(over!.plans).toMatchObject({ second: { plan: 'solo' } });
      expect(over!.users).toMatchObject({ effective: 1, used: 4 });
      for (const { id } of found)
        expect(await verifyChain(charter.log.readStream(organizationStream(id)))).toMatchObject({ ok: true });
    });
  });

  it('gives each command a separate moment, and includes a backdated correction', async () => {
    await onStart(empty(), {}, async (charter) => {
      const began = new Date().toISOString();
      const [, , bakery] = await prepare(charter);
      const events: { at: string; effectiveAt: string | undefined }[] = [];
      for await (const { data, metadata } of charter.log.readStream(organizationStream(bakery!.id))) {
        const { at } = metadata as { at: string };
        events.push({ at, effectiveAt: (data as { effectiveAt?: string }).effectiveAt });
      }
      const moments = events.map(({ at }) => at);
      // The correction is recorded now; only its `effectiveAt` lies in the past.
      expect(moments[0]! >= began && moments.at(-1)! <= new Date().toISOString()).toBe(true);
      // One command both founds the organization and names its owner, so two events have the same moment.
      expect(new Set(moments).size).toBe(events.length - 1);
      expect(moments).toEqual(moments.toSorted());

      const usersAt = async (extent: ReplayRange) => {
        const past = await charter.organizations.replay(organizationStream(bakery!.id), extent);
        return entitlementsOf(past!.state, past!.at).limits.users.effective;
      };
      const between = moments[6]!;
      expect(events.at(-1)!.effectiveAt! < between).toBe(true);
      expect(await usersAt({ until: { revision: 8 }, valid: between })).toBe(5);
      expect(await usersAt({ until: { revision: 9 }, valid: between })).toBe(1);
    });
  });

  it('founds an organization that pays by Stripe, with an upgrade, a late message, and a quarantined message', async () => {
    await onStart(await prepared(), {}, async (charter) => {
      const [, { id } = { id: '' }] = await prepare(charter);
      const { inbox, customers } = charter.database;
      expect(await customers.of(id)).toHaveLength(1);
      const states = (await inbox.list({ limit: 10 })).map(({ id: message, state }) => [message, state]);
      expect(Object.fromEntries(states)).toEqual({
        evt_HarbourBegins: 'applied',
        evt_HarbourUpgrades: 'applied',
        evt_HarbourAsksForMore: 'quarantined',
        evt_HarbourCancelsLate: 'overtaken',
      });
      const { state } = (await charter.organizations.stateAt(organizationStream(id), latest))!;
      const facts = (await inbox.ofOrganization<BillingFact>(id)).map(({ fact }) => fact);
      expect(reconciled(id, state, facts, latest.moment)).toMatchObject({
        paidAndNotGranted: [{ reason: 'unknown-price', item: 'si_HarbourAudioGuide' }],
        grantedAndNotPaid: [{ by: 'hand', plan: 'professional' }],
      });
    });
  });

  it('keeps the effective date of a plan that two later billing messages repeat', async () => {
    await onStart(await prepared(), {}, async (charter) => {
      const [, { id } = { id: '' }] = await prepare(charter);
      const { state, revision } = (await charter.organizations.stateAt(organizationStream(id), latest))!;
      const teams = heldPlans(state).find(({ line }) => line === 'second')!;
      const events: Date[] = [];
      for await (const { data } of charter.log.readStream(organizationStream(id)))
        events.push(new Date((data as { effectiveAt: string }).effectiveAt));
      expect(Math.round((Date.now() - Date.parse(teams.effectiveAt)) / 86_400_000)).toBe(30);
      expect(events[teams.event]).toEqual(new Date(teams.effectiveAt));
      expect([...repetitionsOf(state).values()].filter((repeated) => repeated === teams.event)).toHaveLength(2);
      expect(revision).toBe(events.length - 1);
    });
  });

  it.each([
    ['CHARTER_DEMO=off', { CHARTER_DEMO: 'off' }],
    ['another host', { HOST: '0.0.0.0' }],
    ['another origin', { PUBLIC_URL: 'https://charter.example.com' }],
  ])('founds nothing, and does not mark the store as a demo, with %s', async (_, environment) => {
    await onStart(empty(), environment as Record<string, string>, async (charter) => {
      expect(await prepare(charter)).toEqual([]);
      expect([await eventsIn(charter), await isDemo(charter.database.marks)]).toEqual([0, false]);
    });
  });

  it('is completed by the next start after a crash; the next start founds no organization twice', async () => {
    const folder = empty();
    const written = await onStart(folder, {}, async (charter) => {
      await prepare(charter);
      await charter.database.marks.set('demo', 'founding');
      return eventsIn(charter);
    });
    await onStart(folder, {}, async (charter) => {
      expect(await prepare(charter)).toHaveLength(4);
      expect([await eventsIn(charter), await isDemo(charter.database.marks)]).toEqual([written, true]);
    });
  });

  it('gives the three small organizations the same events as in earlier releases', async () => {
    await onStart(await prepared(), {}, async (charter) => {
      const [near, parallel, over] = await prepare(charter);
      const [founded, joined] = [['OrganizationFounded', 'MemberAdded'], 'MemberAdded'];
      expect(await typesOf(charter, near!.id)).toEqual([
        ...[...founded, 'PlanAssigned', 'AddOnPurchased', 'AddOnPurchased', 'AddOnPurchased', 'ServiceLevelAssigned'],
        ...[joined, joined, joined, joined, joined, 'SiteAdded', 'SiteAdded', 'QualityAssuranceDomainAdded'],
      ]);
      expect(await typesOf(charter, parallel!.id)).toEqual([
        ...[
          ...founded,
          'PlanAssigned',
          'BillingAccountLinked',
          'ParallelUseChanged',
          'SiteAdded',
          'ProductUserFlagged',
        ],
        ...['PlanAssigned', 'AddOnPurchased', 'PlanAssigned', 'AddOnPurchased', 'AddOnCancelled', 'PlanAssigned'],
        ...['AddOnPurchased', 'AddOnCancelled', 'PlanAssigned', 'AddOnPurchased'],
      ]);
      expect(await typesOf(charter, over!.id)).toEqual([
        ...[
          ...founded,
          'PlanAssigned',
          joined,
          joined,
          joined,
          'SiteAdded',
          'SiteAdded',
          'PlanAssigned',
          'PlanAssigned',
        ],
      ]);
    });
  });
});

describe('Organization of a demo with a long history', () => {
  it('has about 2,000 events of three years in a valid hash chain, including backdated and repeated events', async () => {
    await onStart(await prepared(), {}, async (charter) => {
      const { id } = (await prepare(charter))[3]!;
      const events = await eventsOf(charter, id);
      expect(Math.abs(events.length - 2_000)).toBeLessThan(150);
      expect(await verifyChain(charter.log.readStream(organizationStream(id)))).toMatchObject({ ok: true });
      const [first, last] = [events[0]!.at, events.at(-1)!.at].map((at) => (Date.now() - Date.parse(at)) / YEAR_MS);
      expect([Math.round(first!), Math.round(last!)]).toEqual([3, 0]);
      const late = events.filter(({ at, effectiveAt = at }) => Date.parse(at) - Date.parse(effectiveAt) > 4 * DAY_MS);
      expect(late.length).toBeGreaterThan(4);
      expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set(['account', 'billing', 'key']));

      const { state } = (await charter.organizations.stateAt(organizationStream(id), latest))!;
      expect(repetitionsOf(state).size).toBeGreaterThan(50);
      expect(heldPlans(state).map(({ plan }) => plan)).toEqual(['teams']);
      expect(entitlementsOf(state, latest.moment).limits.users).toMatchObject({ configured: 20, effective: 10 });
      expect(state.override!.until! > new Date().toISOString()).toBe(true);
      expect(state.limitsByHand).toMatchObject({ users: { amount: 15 }, contentSections: { amount: 6 } });
    });
  });

  it('has named members and former members who cannot sign in; no event contains their names', async () => {
    await onStart(await prepared(), {}, async (charter) => {
      const { id } = (await prepare(charter))[3]!;
      const { accounts, introductions } = charter.database.people;
      const people = (await accounts.list({ q: '@lakeside.example', limit: 100 })).accounts;
      expect(people.length).toBeGreaterThan(10);
      expect(people.filter(({ passwordHash, role }) => passwordHash !== null || role !== null)).toEqual([]);
      const ids = people.map((person) => person.id);
      const members = await charter.organizations.query(organizationStream(id), ({ state }) =>
        Object.keys(state.members),
      );
      const present = ids.filter((person) => members.includes(person));
      expect([present.length > 0, present.length < ids.length]).toEqual([true, true]);
      expect([...(await introductions.among(id, ids))].toSorted()).toEqual(present.toSorted());
      expect([...(await introductions.everAmong(id, ids))].toSorted()).toEqual(ids.toSorted());
      let written = '';
      for await (const { data, metadata } of charter.log.readAll()) written += JSON.stringify([data, metadata]);
      const texts = people.flatMap(({ name, email }) => [name!, email!]);
      expect(texts.filter((text) => written.includes(text))).toEqual([]);
    });
  });

  it('is completed by the next start after a crash; this start executes no command twice', async () => {
    const folder = empty();
    await onStart(folder, {}, async (charter) => {
      let left = 1_000;
      const execute: typeof charter.organizations.execute = (...command) =>
        (left -= 1) < 0 ? Promise.reject(new Error('crash')) : charter.organizations.execute(...command);
      const crashing = { ...charter, organizations: { ...charter.organizations, execute } };
      await expect(prepare(crashing)).rejects.toThrow('crash');
      expect(await isDemo(charter.database.marks)).toBe(false);
    });
    await onStart(folder, {}, async (charter) => {
      const partly = await eventsIn(charter);
      const { id } = (await prepare(charter))[3]!;
      expect(partly).toBeGreaterThan(500);
      const types = await typesOf(charter, id);
      expect(Math.abs(types.length - 2_000)).toBeLessThan(150);
      expect(types.filter((type) => type === 'OrganizationFounded')).toHaveLength(1);
      expect(await verifyChain(charter.log.readStream(organizationStream(id)))).toMatchObject({ ok: true });
    });
  });
});

describe('Later start of a demo', () => {
  it('founds nothing in a store that contains events, even if the setting turns the demo on', async () => {
    const folder = empty();
    await onStart(folder, { CHARTER_DEMO: 'off' }, ({ log }) =>
      log.append('organization-x', [{ id: crypto.randomUUID(), type: 'Noted', data: {} }], { expected: 'no_stream' }),
    );
    await onStart(folder, { CHARTER_DEMO: 'on' }, async (charter) => {
      expect(await prepare(charter)).toEqual([]);
      expect([await eventsIn(charter), await isDemo(charter.database.marks)]).toEqual([1, false]);
    });
  });

  it('returns the organizations of the first start; returns none if the demo is off or the host is not loopback', async () => {
    const folder = empty();
    const demoFacts = async (charter: Charter) =>
      (await prepare(charter)).map(({ id, name, about }) => [id, name, about]);
    const first = await onStart(folder, {}, demoFacts);
    expect(first).toHaveLength(4);
    expect(await onStart(folder, {}, demoFacts)).toEqual(first);
    expect(await onStart(folder, { CHARTER_DEMO: 'off' }, prepare)).toEqual([]);
    await onStart(folder, { HOST: '0.0.0.0' }, async (charter) => {
      expect(await prepare(charter)).toEqual([]);
      expect(await isDemo(charter.database.marks)).toBe(true); // every page still shows the note about the demo
    });
  });
});

it('Printed text of a demo contains an API key that expires after a week, and three commands to try', async () => {
  await onStart(empty(), {}, async (charter) => {
    const found = await prepare(charter);
    const text = demoText('http://localhost:3000', await demoKey(charter, now), found);
    expect(text.match(/^ +curl /gm)).toHaveLength(3);
    const [key] = await charter.database.keys.list();
    expect(key).toMatchObject({ name: 'demo', expires: '2026-11-28T10:00:00.000Z' });
    expect(text).toContain(key!.prefix);
  });
});

describe('API key that a start has printed', () => {
  const printed = async (charter: Charter) => {
    if ((await prepare(charter)).length > 0) await demoKey(charter, now);
    return charter.database.keys.list();
  };

  it.each([{}, { CHARTER_DEMO: 'off' }, { HOST: '0.0.0.0' }])(
    'is revoked at the next start, with the settings %j; a key of the same name that a person made stays valid',
    async (environment) => {
      const folder = empty();
      const { record } = newKey({ name: 'demo', scopes }, secureRandom, now);
      const [key] = await onStart(folder, {}, printed);
      const after = await onStart(folder, environment, async (charter) => {
        await charter.database.keys.insert(record);
        return printed(charter);
      });
      const isValid = (id: string) => after.some((one) => one.id === id && one.revoked === undefined);
      expect([isValid(key!.id), isValid(record.id)]).toEqual([false, true]);
    },
  );
});

describe('People of a demo', () => {
  const { signal } = new AbortController();
  const signIns = async (charter: Charter) =>
    demoSignIns(charter, demoPeople(await prepare(charter), await charter.log.identity()), now, signal);

  it('each have a role, and a password that works and is in no store', async () => {
    const folder = empty();
    const shown = await onStart(folder, {}, async (charter) => {
      const people = await signIns(charter);
      expect(people.map(({ about }) => about)).toEqual([
        'owner of Northwind Feedback',
        'admin of Northwind Feedback',
        'member of Northwind Feedback',
        'auditor',
        'operator',
      ]);
      const [near] = await prepare(charter);
      const roles = await charter.organizations.query(organizationStream(near!.id), ({ state }) => state.members);
      for (const { about, email, password } of people) {
        const account = (await charter.database.people.accounts.byEmail(email))!;
        expect(await charter.passwords.verify(account.passwordHash, password!)).toBe(true);
        expect(about.split(' ')[0]).toBe(account.role ?? roles[account.id]!.role);
      }
      return people;
    });
    const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
    for (const { password } of shown) expect(bytes.filter((text) => text.includes(password!))).toEqual([]);
    expect(await onStart(folder, {}, signIns)).toEqual(shown);
  });

  it('are listed without a password after the password was changed, and are not listed after their erasure', async () => {
    await onStart(empty(), {}, async (charter) => {
      const [owner, admin] = await signIns(charter);
      const { accounts } = charter.database.people;
      const changed = (await accounts.byEmail(owner!.email))!;
      await accounts.change(changed.id, 0, { passwordHash: await charter.passwords.hash('another long phrase') });
      await accounts.erase((await accounts.byEmail(admin!.email))!.id, now);
      const lines = await signIns(charter);
      expect(lines.map(({ about, password }) => [about.split(' ')[0], password !== undefined])).toEqual([
        ['owner', false],
        ['member', true],
        ['auditor', true],
        ['operator', true],
      ]);
    });
  });
});

const latest = { moment: '9999-01-01T00:00:00.000Z' };
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

async function eventsOf(charter: Charter, id: string) {
  const events: { type: string; at: string; actor: string; effectiveAt?: string }[] = [];
  for await (const { type, data, metadata } of charter.log.readStream(organizationStream(id))) {
    const { at, actor } = metadata as { at: string; actor: { kind: string } };
    events.push({ type, at, actor: actor.kind, ...(data as { effectiveAt?: string }) });
  }
  return events;
}
const typesOf = async (charter: Charter, id: string) => (await eventsOf(charter, id)).map(({ type }) => type);
