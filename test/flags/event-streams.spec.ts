import { randomUUID } from 'node:crypto';
import type { Flag } from '@charter/organization-view';
import { done, founded, path } from '../support/requests/organizations';
import { type Browser, person, signedIn } from '../support/sign-in/people';
import { keyId, newFolder, paused, resumed, type Served, serving, settled, until } from '../support/serving';
import { type Follower, following } from '../history/following';

const FLAGS = '/ofrep/v1/evaluate/flags';
const ORIGIN = 'https://shop.example';

let served: Served;
let all: string; // an API key with every scope
let flags: string; // an API key for the flags of every organization
const followers: Follower[] = [];
beforeAll(async () => {
  served = await serving({ environment: { FLAGS_ORIGINS: ORIGIN } });
  all = await served.key();
  flags = await served.key({ scopes: ['flags:read'] });
});
afterEach(() => followers.splice(0).forEach(({ leave }) => leave()));
afterAll(() => served.close());

const bulk = (targetingKey: string, key = flags, headers = {}, query = '') =>
  served.ask('POST', `${FLAGS}${query}`, { key, headers, body: { context: { targetingKey } } });
const addressIn = ({ body }: { body: { eventStreams: readonly { url: string }[] } }): string =>
  body.eventStreams[0]!.url.replace('localhost', '127.0.0.1');
const ticketIn = (address: string) => new URL(address).searchParams.get('ticket')!;
async function open(address: string, headers = {}): Promise<Follower> {
  const follower = await following(address, { headers });
  followers.push(follower);
  return follower;
}
const noticesOf = ({ text }: Follower) =>
  [...text().matchAll(/^event: message\ndata: (.+)\n\n/gm)].map(([, data]) => JSON.parse(data!));
const isBegun = (follower: Follower) => until(() => follower.text().includes('id: '));
const follow = async (targetingKey: string, key = flags) => {
  const follower = await open(addressIn(await bulk(targetingKey, key)));
  await isBegun(follower);
  return follower;
};
const addMember = (id: string, user: string = randomUUID(), role = 'member') =>
  done(served, all, id, ['POST', '/members', { user, role }]);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const newOrganization = async () => {
  const id = await founded(served, { by: all, owner: randomUUID() });
  await settled(served);
  return id;
};

describe('The event stream of a subject', () => {
  it('sends one notice after a change of its flags; the refetch then includes the change', async () => {
    const id = await newOrganization();
    const stream = await follow(id);
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await addMember(id);
    await until(() => noticesOf(stream).length === 1);
    expect(noticesOf(stream)).toEqual([{ type: 'refetchEvaluation', etag: 'r2' }]);
    const { body } = await bulk(id, flags, {}, '?flagConfigEtag=r2');
    const users = body.flags.find(({ key }: Flag) => key === 'remaining.users');
    expect([body.metadata.revision, users.metadata.used]).toEqual([2, 2]);
  });

  // V5
  it('has no notice for an event that changes no flag of the subject', async () => {
    const [id, other] = [await newOrganization(), await newOrganization()];
    const stream = await follow(id);
    await done(served, all, id, ['PATCH', '', { name: 'Another name' }]);
    await addMember(other);
    await settled(served);
    await pause(300);
    expect(noticesOf(stream)).toEqual([]);
    await addMember(id);
    await until(() => noticesOf(stream).length > 0);
    expect(noticesOf(stream)).toHaveLength(1);
  });

  it('sends a notice for the features of a site, and for the role of a member', async () => {
    const id = await newOrganization();
    const [site, user] = [randomUUID(), randomUUID()];
    const commands = [{ type: 'AddSite', data: { site, hostname: 'shop.example' } }];
    await done(served, all, id, ['POST', '/commands', { commands }]);
    await addMember(id, user);
    await settled(served);
    const [ofSite, ofUser] = [await follow(`${id}/sites/${site}`), await follow(`${id}/users/${user}`)];
    await done(served, all, id, ['PATCH', `/sites/${site}`, { features: { logo: false } }]);
    await until(() => noticesOf(ofSite).length === 1);
    expect(noticesOf(ofUser)).toEqual([]);
    await done(served, all, id, ['PATCH', `/members/${user}`, { role: 'admin' }]);
    await until(() => noticesOf(ofUser).length === 1);
    expect(noticesOf(ofSite)).toHaveLength(1);
  });

  it('finds a change before its begin', async () => {
    const id = await newOrganization();
    const address = addressIn(await bulk(id));
    const same = await open(address);
    await isBegun(same);
    expect(noticesOf(same)).toEqual([]);
    await addMember(id);
    await settled(served);
    const late = await open(address);
    await until(() => noticesOf(late).length === 1);
  });

  it('begins with a notice after each reconnect of the browser, even if the flags have not changed since the last notice', async () => {
    const id = await newOrganization();
    const address = addressIn(await bulk(id));
    const first = await open(address);
    await isBegun(first);
    await addMember(id);
    await until(() => noticesOf(first).length === 1);
    // The notice has arrived, but the evaluation after it may have failed.
    const last = [...first.text().matchAll(/^id: (.+)$/gm)].at(-1)![1]!;
    first.leave();
    const again = await open(address, { 'Last-Event-ID': last });
    await isBegun(again);
    expect(noticesOf(again)).toEqual([{ type: 'refetchEvaluation', etag: 'r2' }]);
  });

  it('sends one notice when the epoch ends; the next answer has another ETag and another address', async () => {
    const id = await newOrganization();
    const before = await bulk(id);
    const stream = await open(addressIn(before));
    await isBegun(stream);
    const again = () => bulk(id, flags, { 'If-None-Match': before.headers.etag! });
    let after = await again();
    for (let minutes = 0; after.status === 304 && minutes <= 45; minutes += 1) {
      served.clock.advance(60_000);
      after = await again();
    }
    expect(after.status).toBe(200);
    await until(() => noticesOf(stream).length === 1);
    expect(ticketIn(addressIn(after))).not.toBe(ticketIn(addressIn(before)));
    await pause(1_500);
    expect(noticesOf(stream)).toHaveLength(1);
  });

  it('sends one notice when an override ends, before an event records the end', async () => {
    const id = await newOrganization();
    await done(served, all, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
    await done(served, all, id, ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }]);
    const end = new Date(served.clock.now() + 60_000).toISOString();
    await done(served, all, id, ['PUT', '/limits/override', { reason: 'a spec', until: end }]);
    await settled(served);
    const stream = await follow(id);
    await paused(served); // only a running projection records the end
    served.clock.advance(60_000);
    await until(() => noticesOf(stream).length === 1, 1_000);
    const { body } = await bulk(id, flags, {}, '?flagConfigEtag=r4');
    const users = body.flags.find(({ key }: Flag) => key === 'limit.users');
    expect([body.metadata.revision, users.value]).toEqual([4, 2]);
    await resumed(served);
    await until(async () => (await bulk(id)).body.metadata.revision === 5);
    await pause(300);
    expect(noticesOf(stream)).toEqual([{ type: 'refetchEvaluation', etag: 'r4' }]);
  });

  it('sends a notice to the earlier clients even if another client begins between the change and the notice', async () => {
    const id = await newOrganization();
    const early = await follow(id);
    await addMember(id);
    await settled(served); // the notice of the change waits for further changes
    await follow(id);
    await until(() => noticesOf(early).length === 1);
  });

  // V10
  it('has a notice for each of 250 clients of an organization, spread over two seconds', async () => {
    const id = await newOrganization();
    const address = addressIn(await bulk(id));
    const streams = await Promise.all(Array.from({ length: 250 }, () => open(address)));
    await Promise.all(streams.map(isBegun));
    await addMember(id);
    await until(() => streams.some((stream) => noticesOf(stream).length > 0));
    expect(streams.every((stream) => noticesOf(stream).length > 0)).toBe(false);
    await until(() => streams.every((stream) => noticesOf(stream).length === 1), 5_000);
  });
});

describe('The ETag of a bulk evaluation', () => {
  it('changes whenever the address of the event stream has another ticket', async () => {
    const id = await newOrganization();
    const other = await served.key({ scopes: ['flags:read'] });
    const answers = [await bulk(id), await bulk(id), await bulk(id, other)];
    served.clock.advance(45 * 60_000);
    answers.push(await bulk(id));
    const pairs = new Set(answers.map((answer) => `${answer.headers.etag} ${ticketIn(addressIn(answer))}`));
    const tags = new Set(answers.map(({ headers }) => headers.etag));
    const tickets = new Set(answers.map((answer) => ticketIn(addressIn(answer))));
    expect([pairs.size, tags.size, tickets.size]).toEqual([3, 3, 3]);
  });

  it('stays the same after a restart, but changes with the ticket if the restart changes SESSION_SECRET', async () => {
    const environment = { PUBLIC_URL: 'http://localhost:3000', SESSION_SECRET: randomUUID() };
    const [folder, clock] = [newFolder(), served.clock];
    const start = (changed = {}) => serving({ folder, clock, environment: { ...environment, ...changed } });
    let process = await start();
    const key = await process.key();
    const id = await founded(process, { by: key });
    await settled(process);
    const asked = async () => {
      const answer = await process.ask('POST', FLAGS, { key, body: { context: { targetingKey: id } } });
      await process.stop();
      return [answer.headers.etag, ticketIn(addressIn(answer))];
    };
    const before = await asked();
    process = await start();
    expect(await asked()).toEqual(before);
    process = await start({ SESSION_SECRET: randomUUID() });
    const after = await asked();
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, false]);
  });
});

describe('A ticket', () => {
  const requested = (id: string, targetingKey: string, key: string) =>
    served.ask('POST', path(id, '/flag-tickets'), { key, body: { targetingKey } });

  it('is made for the backend of a customer, and lets a page evaluate the flags of its subject alone', async () => {
    const id = await newOrganization();
    const bound = await served.key({ scopes: ['flags:read'], organization: id });
    const made = await requested(id, id, bound);
    expect(made.status).toBe(201);
    const { ticket, expires } = made.body as { ticket: string; expires: string };
    const left = Date.parse(expires) - served.clock.now();
    expect([left > 15 * 60_000, left <= 60 * 60_000]).toEqual([true, true]);
    const answer = await bulk(id, ticket);
    expect([answer.status, ticketIn(addressIn(answer))]).toEqual([200, ticket]);
    const other = await bulk(`${id}/users/${randomUUID()}`, ticket);
    expect([other.status, other.body.errorCode]).toEqual([400, 'INVALID_CONTEXT']);
    const context = { targetingKey: id, asOf: '0' };
    expect((await served.ask('POST', FLAGS, { key: ticket, body: { context } })).status).toBe(403);
    const one = await served.ask('POST', `${FLAGS}/feedback`, { key: ticket, body: { context: { targetingKey: id } } });
    expect([one.status, (await served.ask('GET', path(id), { key: ticket })).status]).toEqual([401, 401]);
  });

  it('does not renew itself: every answer to a request with the ticket contains the same ticket', async () => {
    const id = await newOrganization();
    const make = async () => (await requested(id, id, flags)).body as { ticket: string; expires: string };
    const { ticket, expires } = await make();
    const before = await bulk(id, ticket);
    served.clock.advance(Date.parse(expires) - served.clock.now() - 5_000);
    const last = await bulk(id, ticket);
    expect(ticketIn(addressIn(last))).toBe(ticket);
    expect((await bulk(id, ticket, { 'If-None-Match': before.headers.etag })).status).toBe(304);
    // The address in the answer to another ticket must be new.
    const next = await make();
    const answer = await bulk(id, next.ticket, { 'If-None-Match': last.headers.etag });
    expect([answer.status, ticketIn(addressIn(answer))]).toEqual([200, next.ticket]);
    served.clock.advance(5_000);
    expect((await bulk(id, ticket)).status).toBe(401);
  });

  it('is refused to a key of all organizations if the organization does not exist', async () => {
    const id = randomUUID();
    expect((await requested(id, id, flags)).status).toBe(404);
  });

  it('is refused for another organization with 404, and for another subject with 400', async () => {
    const [id, foreign] = [await newOrganization(), await newOrganization()];
    const bound = await served.key({ scopes: ['flags:read'], organization: id });
    expect((await requested(foreign, foreign, bound)).status).toBe(404);
    for (const targetingKey of [foreign, `${id}/users/${randomUUID()}`, `${id}/sites/${randomUUID()}`, 'acme'])
      expect([targetingKey, (await requested(id, targetingKey, bound)).status]).toEqual([targetingKey, 400]);
  });

  it('is worth nothing if it is false, changed, or has ended', async () => {
    const id = await newOrganization();
    const address = addressIn(await bulk(id));
    const ticket = ticketIn(address);
    const changed = ticket.replace(/^flt_(.)/, (_, first: string) => `flt_${first === 'W' ? 'X' : 'W'}`);
    const statuses = async (one: string) => [
      (await open(`${served.url}/ofrep/v1/event-streams?ticket=${one}`)).status,
      (await bulk(id, one)).status,
    ];
    for (const one of ['flt_', 'flt_x.y', changed, `${ticket}x`])
      expect([one, await statuses(one)]).toEqual([one, [401, 401]]);
    expect((await open(`${served.url}/ofrep/v1/event-streams`)).status).toBe(401);
    served.clock.advance(61 * 60_000);
    expect(await statuses(ticket)).toEqual([401, 401]);
  });

  it('ends within ten seconds with its API key, and the stream has no further notice', async () => {
    const id = await newOrganization();
    const key = await served.key({ scopes: ['flags:read'] });
    const address = addressIn(await bulk(id, key));
    const stream = await open(address);
    await isBegun(stream);
    await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
    await until(() => stream.ended() === 'ended', 10_000);
    expect([noticesOf(stream), (await open(address)).status]).toEqual([[], 401]);
  });

  it('ends with its session, and with the membership of its person', async () => {
    const id = await newOrganization();
    const [ada, ben] = [await person(served), await person(served)];
    for (const { id: user } of [ada, ben]) await addMember(id, user);
    await settled(served);
    const streamOf = async (browser: Browser) => {
      const answer = await browser.send('POST', FLAGS, { context: { targetingKey: id } });
      const stream = await open(addressIn(answer));
      await isBegun(stream);
      return { stream, address: addressIn(answer) };
    };
    const browsers = [await signedIn(served, ada), await signedIn(served, ben)] as const;
    const [first, second] = [await streamOf(browsers[0]), await streamOf(browsers[1])];
    expect((await browsers[0].send('POST', '/logout')).status).toBe(204);
    await done(served, all, id, ['DELETE', `/members/${ben.id}`]);
    await until(() => first.stream.ended() === 'ended' && second.stream.ended() === 'ended', 10_000);
    for (const { address } of [first, second])
      expect([(await open(address)).status, (await bulk(id, ticketIn(address))).status]).toEqual([401, 401]);
  });

  it('of an account needs only one check of the role in an evaluation', async () => {
    const id = await newOrganization();
    const ada = await person(served);
    await addMember(id, ada.id);
    const answer = await (await signedIn(served, ada)).send('POST', FLAGS, { context: { targetingKey: id } });
    await addMember(id);
    await settled(served);
    const query = jest.spyOn(served.charter.organizations, 'query');
    expect((await bulk(id, ticketIn(addressIn(answer)))).status).toBe(200);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });

  it('is in no line of the log (T1)', async () => {
    const id = await newOrganization();
    const address = addressIn(await bulk(id));
    await open(address);
    await open(`${address}x`);
    await open(`${served.url}/ofrep/v1/event-streams?ticket=${ticketIn(address)}x`);
    expect(served.lines.join('\n')).not.toContain('flt_');
  });
});

// D10, V11
describe('CORS on the routes of OFREP', () => {
  const cors = ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));
  const from = (origin: string) => ({ Origin: origin });

  it('lets the named origins evaluate and follow flags, without cookies', async () => {
    const id = await newOrganization();
    const named = { 'access-control-allow-origin': ORIGIN, 'access-control-expose-headers': 'ETag, Retry-After' };
    const answer = await bulk(id, flags, from(ORIGIN));
    expect([answer.status, cors(answer), answer.headers.vary]).toEqual([200, named, 'Origin']);
    const stream = await open(addressIn(answer), from(ORIGIN));
    expect([stream.status, cors(stream)]).toEqual([200, named]);
    const refused = await open(`${served.url}/ofrep/v1/event-streams?ticket=x`, from(ORIGIN));
    expect([refused.status, cors(refused)]).toEqual([401, named]);
  });

  it('answers a preflight with the methods and headers of OFREP', async () => {
    const headers = { ...from(ORIGIN), 'Access-Control-Request-Method': 'POST' };
    const preflight = await fetch(`${served.url}${FLAGS}`, { method: 'OPTIONS', headers });
    expect([preflight.status, cors({ headers: Object.fromEntries(preflight.headers) })]).toEqual([
      204,
      {
        'access-control-allow-origin': ORIGIN,
        'access-control-expose-headers': 'ETag, Retry-After',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': 'Authorization, X-API-Key, Content-Type, If-None-Match',
        'access-control-max-age': '600',
      },
    ]);
    const others = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', vary: 'Origin' };
    expect(Object.fromEntries(preflight.headers)).toMatchObject({ ...others, 'request-id': expect.any(String) });
  });

  it('has no header for another origin, and none on another route', async () => {
    const id = await newOrganization();
    for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'null', ORIGIN.toUpperCase()])
      expect([origin, cors(await bulk(id, flags, from(origin)))]).toEqual([origin, {}]);
    const headers = { ...from('https://evil.example'), 'Access-Control-Request-Method': 'POST' };
    const preflight = await fetch(`${served.url}${FLAGS}`, { method: 'OPTIONS', headers });
    expect(cors({ headers: Object.fromEntries(preflight.headers) })).toEqual({});
    expect(cors(await served.ask('GET', path(id), { key: all, headers: from(ORIGIN) }))).toEqual({});
  });
});
