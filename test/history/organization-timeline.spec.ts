import { randomUUID } from 'node:crypto';
import { signWholeLog } from '@charter/application';
import { serviceForSpecs } from '../support/requests/http-client';
import { done, founded, path } from '../support/requests/organizations';
import { eventsOf, type Served } from '../support/serving';
import { PASSWORD, person, signedIn } from '../support/sign-in/people';
import { longPast } from './as-of/long-life';
import { expectReaders } from './readers-of';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

type Point = { revision: number; at: string };
type Timeline = {
  first: Point;
  last: Point;
  bins: { first: number | null; last: number | null; from: string; to: string; events: number; groups: object }[];
  marks: { revision: number; type: string }[];
  marksInAll: number;
  over: { resource: string; from: Point; to: Point | null; most: number }[];
  signed: { at: string; events: number } | null;
  ahead?: { at: string; what: string; event: number }[];
};

const answerOf = (id: string, query = '', headers: Record<string, string> = {}) =>
  ask('GET', path(id, `/timeline?${query}`), { headers });
const timelineOf = async (id: string, query = '') => {
  const { status, body, text } = await answerOf(id, query);
  if (status !== 200) throw new Error(text);
  return body as unknown as Timeline;
};
const later = (...requests: readonly (readonly [id: string, method: string, rest: string, body?: object])[]) =>
  requests.reduce(async (before, [id, ...request]) => {
    await before;
    served.clock.advance(60_000);
    await done(served, key, id, request);
  }, Promise.resolve());

/**
 * An organization that had three users when it got a plan for a single user. Two users were then removed.
 */
async function lived() {
  const [owner, ben, cara] = [randomUUID(), randomUUID(), randomUUID()];
  const id = await founded(served, { by: key, owner });
  await later(
    [id, 'POST', '/members', { user: ben, role: 'member' }],
    [id, 'POST', '/members', { user: cara, role: 'member' }],
    [id, 'PUT', '/plan', { line: 'second', plan: 'solo' }],
    [id, 'DELETE', `/members/${ben}`],
    [id, 'DELETE', `/members/${cara}`],
    [id, 'PATCH', '', { name: 'Acme Oy' }],
  );
  return { id, owner, ben, cara };
}

describe('Timeline of an organization', () => {
  it('counts each event once, and lists the important events (`marks`) and the period in which a limit was exceeded', async () => {
    const { id } = await lived();
    const stored = await eventsOf(served, `organization-${id}`);
    const { first, last, bins, marks, marksInAll, over, signed, ahead } = await timelineOf(id);
    const pointOf = (revision: number) => ({ revision, at: (stored[revision]!.metadata as { at: string }).at });
    expect([first, last]).toEqual([pointOf(0), pointOf(stored.length - 1)]);
    expect(bins.map((bin) => [bin.first, bin.last, bin.events])).toEqual(stored.map((_, index) => [index, index, 1]));
    const plan = stored.findIndex(({ type }) => type === 'PlanAssigned');
    expect([marks, marksInAll]).toEqual([
      [{ ...pointOf(plan), effectiveAt: pointOf(plan).at, type: 'PlanAssigned', group: 'plan' }],
      1,
    ]);
    expect(over.filter(({ resource }) => resource === 'users')).toEqual([
      { resource: 'users', from: pointOf(plan), to: pointOf(plan + 2), most: 2 },
    ]);
    expect([signed, ahead]).toEqual([null, []]);

    const hours = await timelineOf(id, 'axis=time&bins=10');
    expect(hours.bins).toHaveLength(10);
    expect(hours.bins.reduce((sum, { events }) => sum + events, 0)).toBe(stored.length);
    expect(hours.bins.find(({ events }) => events === 0)).toMatchObject({ first: null, last: null, groups: {} });
  });

  it('can end in the past, and can count only the events about one member', async () => {
    const { id, ben } = await lived();
    const all = await timelineOf(id);
    const past = await timelineOf(id, 'asOf=4');
    expect([past.last.revision, past.bins.length, past.ahead]).toEqual([4, 5, undefined]);
    expect(past.over[0]).toEqual({ ...all.over[0], to: null });
    expect(await timelineOf(id, `asOf=${past.last.at}`)).toEqual(past);
    const aboutBen = await timelineOf(id, `about=/members/${ben}&bins=3`);
    expect(aboutBen.bins.reduce((sum, { events }) => sum + events, 0)).toBe(2);
    expect([aboutBen.marks, aboutBen.last]).toEqual([[], all.last]);
  });

  it('shows how many events are signed, and the moment when a limit override will end', async () => {
    const { id } = await lived();
    const until = new Date(served.clock.now() + 3_600_000).toISOString();
    const before = await answerOf(id);
    await signWholeLog(served.charter, { at: new Date(served.clock.now()).toISOString() });
    const signed = await answerOf(id);
    expect(signed.body.signed).toEqual({ at: expect.any(String), events: (before.body.last as Point).revision + 1 });
    expect(signed.headers['etag']).not.toBe(before.headers['etag']);
    await later([id, 'PUT', '/limits/override', { reason: 'a favour', until }]);
    const ahead = await answerOf(id);
    const event = (ahead.body.last as Point).revision;
    expect(ahead.body.ahead).toEqual([{ at: until, what: 'override-ends', event }]);
    served.clock.advance(3_600_000);
    const ended = await answerOf(id);
    expect([ended.body.ahead, ended.headers['etag'] === ahead.headers['etag']]).toEqual([[], false]);
  });

  it('has an ETag that changes when a new event is recorded', async () => {
    const { id } = await lived();
    const first = await answerOf(id, 'bins=7');
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"\d+-[\da-f]{8}-[\da-f]{8}"$/);
    expect((await answerOf(id, 'bins=7', { 'If-None-Match': etag })).status).toBe(304);
    await later([id, 'PATCH', '', { name: 'Third' }]);
    expect((await answerOf(id, 'bins=7', { 'If-None-Match': etag })).status).toBe(200);
  });

  it('covers a long history, and a later answer includes a new event', async () => {
    const id = await founded(served, { by: key });
    await longPast(served.charter, id, 1_400);
    const { bins, marks, marksInAll } = await timelineOf(id, 'bins=480');
    expect([bins.length, bins.reduce((sum, { events }) => sum + events, 0)]).toEqual([480, 1_401]);
    expect([marks.length, marksInAll]).toEqual([500, 1_400]);
    await done(served, key, id, ['PATCH', '', { name: 'Acme Oy' }]);
    expect((await timelineOf(id)).last.revision).toBe(1_401);
  });

  it('still counts the earlier events after the organization was closed and a member was erased', async () => {
    const operator = await person(served, { role: 'operator' });
    const [owner, member] = [await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: owner.id });
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: member.id, role: 'member' }],
      ['POST', '/close', { reason: 'the end' }],
    );
    const before = await timelineOf(id);
    expect(before.marks.map(({ type }) => type)).toEqual(['OrganizationClosed']);
    const by = await signedIn(served, operator);
    const erased = await by.send('POST', `/api/v1/accounts/${member.id}/erase`, { password: PASSWORD });
    expect(erased.status).toBe(200);
    const { bins, last } = await timelineOf(id);
    expect(bins.slice(0, before.bins.length).map(({ groups }) => groups)).toEqual(
      before.bins.map(({ groups }) => groups),
    );
    expect(last.revision).toBeGreaterThanOrEqual(before.last.revision);
  });

  it.each([
    ['axis=month', 'axis'],
    ['bins=0', 'bins'],
    ['bins=481', 'bins'],
    ['bins=1e2', 'bins'],
    ['about=/chairs', 'about'],
    [`about=${'/x'.repeat(5_000)}`, 'about'],
    ['asOf=yesterday', 'asOf'],
    ['valid=2026-11-21T10:00:00Z', 'valid'],
  ])('cannot be requested with %s: the answer is 400', async (query, field) => {
    const id = await founded(served, { by: key });
    const { status, body } = await answerOf(id, query);
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(body.errors)).toContain(field);
  });

  it('refuses an unknown revision, and a moment before the first event', async () => {
    const id = await founded(served, { by: key });
    const answers = [];
    for (const asOf of ['asOf=1', 'asOf=2020-01-01T00:00:00Z']) {
      const { status, body } = await answerOf(id, asOf);
      answers.push([status, body.type]);
    }
    expect(answers).toEqual([
      [400, '/problems/unknown-revision'],
      [404, '/problems/no-such-organization'],
    ]);
    expect((await answerOf(id, 'asOf=2099-01-01T00:00:00Z')).status).toBe(200);
    expect((await answerOf(randomUUID())).status).toBe(404);
  });

  it('can be read by an owner and an auditor, not by a plain member or a stranger; Charter records the read', () =>
    expectReaders(served, key, ['GET', '/timeline']));
});
