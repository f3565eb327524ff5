import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { against, startedTarget, type Target } from '../facade/eventstore-target';
import { done, founded, path } from '../support/requests/organizations';
import { secrets } from '../support/secrets';
import { newFolder, type Served, serving, settled, until } from '../support/serving';
import { type Follower, following } from './following';

let target: Target;
let served: Served;
let key: string;
let id: string;
const followers: Follower[] = [];
beforeAll(async () => {
  target = await startedTarget();
  served = await serving({
    folder: newFolder(),
    environment: { ...secrets, EVENT_LOG: target.url, EVENT_LOG_ALLOW_INSECURE: 'true' },
  });
  key = await served.key();
  id = await founded(served, { by: key, name: 'Name 0' });
  for (let index = 1; index < 30; index += 1) await done(served, key, id, ['PATCH', '', { name: `Name ${index}` }]);
}, 120_000);
afterAll(async () => {
  followers.forEach(({ leave }) => leave());
  await served.close();
  await target.stop();
});

const ask = (rest: string, headers = {}) => served.ask('GET', path(id, rest), { key, headers });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { revision: number });

describe(`History over ${against}`, () => {
  it('can be read in pages or as NDJSON, in both orders, and from a given moment on', async () => {
    const { body } = await ask('/events?limit=100');
    const events = body.events as { revision: number; metadata: { at: string } }[];
    expect(events.map(({ revision }) => revision)).toEqual(range(0, 29));
    expect(linesOf((await ask('/events', { Accept: 'application/x-ndjson' })).text)).toEqual(events);
    expect((await ask('/events?order=newest&limit=100')).body.events).toEqual(events.toReversed());
    const [first, second] = [(await ask('/events?order=newest&limit=20')).body, 20];
    expect((await ask(`/events?order=newest&cursor=${first.next}`)).body.events).toEqual(
      events.toReversed().slice(second),
    );
    const at = events[12]!.metadata.at;
    const since = (await ask(`/events?limit=100&from=${at}`)).body.events as typeof events;
    expect(since).toEqual(events.filter(({ metadata }) => metadata.at >= at));
  });

  it('can be verified, and its states at two revisions can be compared', async () => {
    await settled(served);
    expect((await ask('/diff?from=3&to=9')).body).toMatchObject({
      events: 6,
      state: [{ path: '/name', before: 'Name 3', value: 'Name 9', causesInAll: 6 }],
    });
    expect((await ask('/verify')).body).toMatchObject({ ok: true, events: 30, readModel: { ok: true, revision: 29 } });
  });

  it('can be followed in the change feed, which omits events of accounts, and resumed after any received event', async () => {
    const follow = async (headers = {}) => {
      const follower = await following(`${served.url}/api/v1/events`, { key, headers });
      followers.push(follower);
      return follower;
    };
    const mine = (follower: Follower) =>
      follower.received().flatMap(({ data }) => (data.stream === `organization-${id}` ? [data.revision] : []));
    const all = await follow();
    await until(() => mine(all).length === 30, 10_000);
    const by = { actor: { kind: 'system', id: 'spec', powers: [] }, correlation: randomUUID() } as const;
    await served.charter.trail.record(
      { account: randomUUID() },
      { type: 'PasswordChanged', data: {} },
      { ...by, at: new Date().toISOString() },
    );
    await pause(500);
    await done(served, key, id, ['PATCH', '', { name: 'Name 30' }]);
    await until(() => mine(all).length === 31, 10_000);
    expect(mine(all)).toEqual(range(0, 30));
    const place = all.received().find(({ data }) => data.stream === `organization-${id}` && data.revision === 20)!;
    const again = await follow({ 'Last-Event-ID': place.id });
    await until(() => mine(again).length === 10, 10_000);
    expect(mine(again)).toEqual(range(21, 30));
  });
});
