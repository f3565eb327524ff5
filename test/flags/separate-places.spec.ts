import { founded } from '../support/requests/organizations';
import { type Served, serving, settled } from '../support/serving';
import { type Follower, following } from '../history/following';

// The limits of the change feed and of flag streams (`gate.ts`): 64 feeds, 8 for a caller; 1,500 flag streams.

let served: Served;
let key: string;
let eventStream: string;
const followers: Follower[] = [];
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  const id = await founded(served, { by: key });
  await settled(served);
  const answer = await served.ask('POST', '/ofrep/v1/evaluate/flags', {
    key,
    body: { context: { targetingKey: id } },
  });
  const [{ url }] = answer.body.eventStreams as [{ url: string }];
  eventStream = url.replace('localhost', '127.0.0.1');
});
afterEach(() => followers.splice(0).forEach(({ leave }) => leave()));
afterAll(() => served.close());

const follow = async (url: string, by: Parameters<typeof following>[1]): Promise<Follower> => {
  const follower = await following(url, by);
  followers.push(follower);
  return follower;
};
const feed = (by: string) => follow(`${served.url}/api/v1/events?after=end`, { key: by });
const changes = (by: string) => follow(`${served.url}/api/v1/entitlement-changes`, { key: by });
const notices = () => follow(eventStream, {});
const statusesOf = (streams: readonly Follower[]) => [...new Set(streams.map(({ status }) => status))];

describe('Streams', () => {
  it('of flags begin while auditors fill every place of the change feed', async () => {
    const auditors = await Promise.all(Array.from({ length: 8 }, () => served.key({ scopes: ['audit:read'] })));
    const feeds = await Promise.all(auditors.flatMap((by) => Array.from({ length: 8 }, () => feed(by))));
    expect([feeds.length, statusesOf(feeds), (await feed(key)).status]).toEqual([64, [200], 503]);
    expect(statusesOf([await changes(key), await notices()])).toEqual([200]);
  });

  it('of auditors begin while programs fill every place of the flag streams', async () => {
    const programs = [await served.key({ scopes: ['flags:read'] }), await served.key({ scopes: ['flags:read'] })];
    const streams: Follower[] = [];
    while (streams.length < 1_500)
      streams.push(...(await Promise.all(Array.from({ length: 50 }, (_, at) => changes(programs[at % 2]!)))));
    expect(statusesOf(streams)).toEqual([200]);
    expect([(await changes(key)).status, (await notices()).status]).toEqual([503, 503]);
    expect((await feed(key)).status).toBe(200);
  }, 60_000);
});
