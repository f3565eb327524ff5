import { randomUUID } from 'node:crypto';
import { verifyChain } from '@charter/integrity';
import { verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import type { Answer } from '../support/requests/http';
import { done, founded, path } from '../support/requests/organizations';
import { type Process, served, several, type Several } from '../support/network/processes';
import { eventsOf, until } from '../support/serving';
import { times } from '../nightly/length';
import { webhookSecret } from '../billing/stripe/stripe-messages';
import { billingCountsOnce } from './billing.contract';
import { otherLimitsHold } from './other-limits.contract';

let all: Several;
let processes: readonly Process[];
let key: string;
beforeAll(async () => {
  all = await several();
  const secret = { STRIPE_WEBHOOK_SECRETS: webhookSecret };
  const api = { ...secret, ROLE: 'api' };
  processes = await Promise.all([all.start(secret), all.start(api), all.start(api)]);
  key = await all.key();
}, 120_000);
afterAll(() => all.end(), 60_000);

/** An organization with this number of free seats, and one owner. */
async function withFreeSeats(seats: number): Promise<string> {
  const one = served(all, processes[0]!);
  const id = await founded(one, { by: key, owner: randomUUID() });
  await done(one, key, id, ['PUT', '/limits', { users: seats + 1 }]);
  return id;
}

const streamOf = (id: string) => eventsOf(all, `organization-${id}`);
/** The answers without repetitions. Answers with equal status, body, ETag and Location count as one answer. */
const distinct = (answers: readonly Answer[]) => [
  ...new Set(
    answers.map(({ status, text, headers: { etag, location } }) => JSON.stringify([status, text, etag, location])),
  ),
];
const to = (index: number, among: number) => processes[index % among]!;

describe.each([2, 3].slice(0, times(1, 2)))('%i processes', (among) => {
  it.each([9, 150])(
    'M1: with %i free seats accept exactly this number of 200 concurrent new members',
    async (free) => {
      const id = await withFreeSeats(free);
      const before = (await streamOf(id)).length;
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          to(index, among).ask('POST', path(id, '/members'), { key, body: { user: randomUUID(), role: 'member' } }),
        ),
      );
      const by = (status: number) => answers.filter((answer) => answer.status === status);
      const others = answers.filter(({ status }) => status !== 201 && status !== 409).map(({ text }) => text);
      expect([others, by(201).length, by(409).length]).toEqual([[], free, 200 - free]);
      for (const { body } of by(409))
        expect(body).toMatchObject({
          ...{ type: '/problems/limit-exceeded', limit: 'users', requested: 1 },
          ...{ allowed: free + 1, used: free + 1 },
        });
      const revisions = by(201).map(({ body }) => body.revision as number);
      expect(revisions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: free }, (_, index) => before + index));
      const stream = await streamOf(id);
      expect(stream).toHaveLength(before + free);
      expect((await verifyChain(stream)).ok).toBe(true);
    },
    60_000,
  );

  it('M3: write only one event if one member is added 50 times at once', async () => {
    const id = await withFreeSeats(9);
    const user = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        to(index, among).ask('POST', path(id, '/members'), { key, body: { user, role: 'member' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
    // one event for the owner, and one for the new member
    expect((await streamOf(id)).filter(({ type }) => type === 'MemberAdded')).toHaveLength(2);
  });

  it('M4: add only one site if one hostname is added 50 times at once', async () => {
    const id = await withFreeSeats(9);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        to(index, among).ask('POST', path(id, '/sites'), { key, body: { hostname: 'shop.example' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(49);
    for (const { body } of refused) expect(body.type).toBe('/problems/hostname-taken');
    expect((await streamOf(id)).filter(({ type }) => type === 'SiteAdded')).toHaveLength(1);
  });

  it('M5: make only one account and one member if an unknown address is invited 50 times at once', async () => {
    const id = await withFreeSeats(9);
    const email = `${randomUUID()}@people.example`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        to(index, among).ask('POST', path(id, '/members'), { key, body: { email, role: 'member' } }),
      ),
    );
    expect(answers.every(({ status }) => [200, 201, 409, 503].includes(status))).toBe(true);
    const account = await all.charter.database.people.accounts.byEmail(email);
    const members = new Set(answers.filter(({ status }) => status < 300).map(({ body }) => body.id as string));
    expect([...members]).toEqual([account!.id]);
    expect((await streamOf(id)).filter(({ type }) => type === 'MemberAdded')).toHaveLength(2);
  });

  it('L1: write one event and give equal answers if one Idempotency-Key is sent 60 times at once', async () => {
    const id = await withFreeSeats(9);
    const body = { user: randomUUID(), role: 'member' };
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        to(index, among).ask('POST', path(id, '/members'), { key, body, headers }),
      ),
    );
    expect(distinct(answers)).toEqual([expect.stringContaining('[201,')]);
    expect((await streamOf(id)).filter(({ type }) => type === 'MemberAdded')).toHaveLength(2);
  });

  it('L1: repeat the first answer for the same Idempotency-Key, even if a seat becomes free in the meantime', async () => {
    const id = await withFreeSeats(1);
    const [leaving] = (await streamOf(id)).filter(({ type }) => type === 'MemberAdded');
    const other = randomUUID();
    await done(served(all, processes[0]!), key, id, ['POST', '/members', { user: other, role: 'member' }]);
    expect(leaving).toBeDefined();
    const body = { user: randomUUID(), role: 'member' };
    const headers = { 'Idempotency-Key': randomUUID() };
    const ask = (index: number) => to(index, among).ask('POST', path(id, '/members'), { key, body, headers });
    const requests = Array.from({ length: 20 }, (_, index) => ask(index));
    const left = to(1, among).ask('DELETE', path(id, `/members/${other}`), { key });
    const answers = [...(await Promise.all(requests)), ...(await left.then(() => Promise.all([ask(0), ask(1)])))];
    expect(distinct(answers)).toHaveLength(1);
    const added = (await streamOf(id)).filter(({ data }) => (data as { member?: string }).member === body.user);
    expect(added).toHaveLength(answers[0]!.status === 201 ? 1 : 0);
  });

  it('L4: repeat the answer that another process has already given to a request with the same Idempotency-Key', async () => {
    const id = await withFreeSeats(9);
    const body = { user: randomUUID(), role: 'member' };
    const headers = { 'Idempotency-Key': randomUUID() };
    const ask = (index: number) => processes[index]!.ask('POST', path(id, '/members'), { key, body, headers });
    const first = await ask(0);
    await done(served(all, processes[0]!), key, id, ['DELETE', `/members/${body.user}`]);
    const later = await Promise.all(Array.from({ length: among }, (_, index) => ask(index)));
    expect(distinct([first, ...later])).toEqual([expect.stringContaining('[201,')]);
    const reused = await to(1, among).ask('POST', path(id, '/members'), {
      key,
      headers,
      body: { ...body, role: 'admin' },
    });
    expect([reused.status, reused.body.type]).toEqual([422, '/problems/key-reused']);
  });

  describe('M2: do not exceed a limit:', () =>
    otherLimitsHold(() => ({ all, processes: processes.slice(0, among), key })));

  describe('K5: apply each billing message once:', () =>
    billingCountsOnce(() => ({ all, processes: processes.slice(0, among), key })));
});

describe('Three processes', () => {
  it('M10: show an acknowledged write of another process within a second, if the read names the revision in `atLeast`', async () => {
    const id = await withFreeSeats(50);
    for (let time = 0; time < 20; time += 1) {
      const written = await to(time, 3).ask('POST', path(id, '/members'), {
        key,
        body: { user: randomUUID(), role: 'member' },
      });
      const { revision } = written.body as { revision: number };
      const began = performance.now();
      const read = await to(time + 1, 3).ask('GET', path(id, `?atLeast=${revision}`), { key });
      expect([read.status, performance.now() - began < 1_000]).toEqual([200, true]);
      expect(read.body.members).toHaveLength(time + 2);
    }
  });

  it('M10: during a pause of the projection, only the writing process shows its write; another process refuses a read with `atLeast` after two seconds (`not-yet`)', async () => {
    const id = await withFreeSeats(9);
    await all.charter.view.pause();
    try {
      const member = { user: randomUUID(), role: 'member' };
      await until(async () => {
        const seen = await processes[1]!.ask('GET', path(id), { key });
        return seen.body.members?.length === 1;
      });
      await until(async () => (await processes[0]!.health()).body.checks.projection.phase === 'paused');
      const written = await processes[1]!.ask('POST', path(id, '/members'), { key, body: member });
      const { revision } = written.body as { revision: number };
      const own = await processes[1]!.ask('GET', path(id), { key });
      expect(own.body.members).toHaveLength(2);
      const began = performance.now();
      const elsewhere = await processes[2]!.ask('GET', path(id, `?atLeast=${revision}`), { key });
      expect([elsewhere.status, elsewhere.body.type]).toEqual([503, '/problems/not-yet']);
      const waited = performance.now() - began;
      // the bound for a busy machine is ten times as long
      expect([waited > 1_900, waited < 20_000]).toEqual([true, true]);
    } finally {
      await all.charter.view.resume();
    }
  });

  it('have one shared read model, which equals a replay of the events', async () => {
    const head = await all.charter.log.head();
    await until(async () => ((await (await all.charter.view.live())!.status()).checkpoint?.position ?? '') >= head);
    const verified = await verifyView(all.charter.log, (await all.charter.view.live())!, organizationView);
    expect(verified).toMatchObject({ ok: true, hash: verified.replayHash });
  });
});
