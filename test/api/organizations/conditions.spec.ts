import { randomUUID } from 'node:crypto';
import { done, founded, path } from '../../support/requests/organizations';
import { eventsIn, type Served, serving, settled } from '../../support/serving';
import { tag } from '../../support/tags';

let served: Served;
let key: string;
const ask: Served['ask'] = (method, at, sent = {}) => served.ask(method, at, { key, ...sent });
beforeAll(async () => {
  served = await serving();
  key = await served.key();
});
afterAll(() => served.close());

/** An organization at revision 2. */
async function twoRevisions(): Promise<string> {
  const id = await founded(served, { by: key, owner: randomUUID() });
  await done(served, key, id, ['PATCH', '', { name: 'Acme Ltd' }]);
  await settled(served);
  return id;
}

const reads = [
  '',
  '/entitlements',
  '/notification-recipients',
  '/entitlements/users',
  '/entitlements/users?',
  '?asOf=1',
];

describe('Answer about an organization', () => {
  it.each(reads)(
    'at the path %j has a strong ETag, shows the lag of the read model in headers, and is 304 for a caller that sends this ETag',
    async (rest) => {
      const id = await twoRevisions();
      const { headers } = await ask('GET', path(id, rest));
      const [revision, other] = rest.includes('asOf') ? [1, 2] : [2, 1];
      const known = tag(revision);
      expect([headers.etag, headers['charter-lag'], headers['cache-control']]).toEqual([
        known,
        expect.stringMatching(/^\d+(\.\d+)?$/),
        'no-store',
      ]);
      for (const sent of [known, `W/${known}`, `"0", ${known}`, '*']) {
        const again = await ask('GET', path(id, rest), { headers: { 'If-None-Match': sent } });
        expect([sent, again.status, again.text, again.headers.etag]).toEqual([sent, 304, '', known]);
        expect(again.headers['charter-lag']).toBeDefined();
      }
      // the ETag of an earlier release, whose answers lacked the reason `not-in-plan`
      const withoutReasonsOfFeatures = `"${revision}-e6386767"`;
      const ofAnotherRelease = [`"${revision}"`, `"${revision}-00000000"`, withoutReasonsOfFeatures];
      for (const stale of [
        tag(3),
        tag(20),
        tag(other),
        '"3"',
        '"20"',
        '2',
        '""',
        tag(revision, '-e'),
        ...ofAnotherRelease,
      ]) {
        const again = await ask('GET', path(id, rest), { headers: { 'If-None-Match': stale } });
        expect([stale, again.status, again.headers.etag]).toEqual([stale, 200, known]);
      }
    },
  );

  it.each(reads)('at the path %j has the same ETag and Content-Length for HEAD, and no body', async (rest) => {
    const id = await twoRevisions();
    const [head, get] = [await ask('HEAD', path(id, rest)), await ask('GET', path(id, rest))];
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', get.headers.etag]);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('is never 304 for a caller without permission', async () => {
    const id = await twoRevisions();
    const stranger = await served.key({ organization: randomUUID() });
    for (const rest of reads) {
      const { status } = await ask('GET', path(id, rest), { key: stranger, headers: { 'If-None-Match': '*' } });
      expect([rest, status]).toEqual([rest, 404]);
    }
  });
});

describe('If-Match', () => {
  const rename = (id: string, match: string) =>
    ask('PATCH', path(id), { body: { name: 'Acme AG' }, headers: { 'If-Match': match } });
  const addMember = (id: string, match: string) =>
    ask('POST', path(id, '/members'), { body: { user: randomUUID(), role: 'member' }, headers: { 'If-Match': match } });
  const writes = [
    ['PATCH', rename],
    ['POST members, on the fast path', addMember],
  ] as const;

  it.each(writes)('%s: accepts the current revision in every spelling, and * for any revision', async (_, write) => {
    for (const match of [tag(2), '"2"', '2', '"2-e"', '"2-7"', '"2-7-e"', '*', ' "2" ']) {
      const { status, body } = await write(await twoRevisions(), match);
      expect([match, Math.floor(status / 100), body.revision]).toEqual([match, 2, 3]);
    }
  });

  it.each(writes)(
    '%s: refuses another revision than the current one with 412, and names the current revision',
    async (_, write) => {
      for (const match of [tag(1), '"1"', '"3"', '1', '"1-e"', '"0"', '"999999999999999"']) {
        const id = await twoRevisions();
        const { status, body } = await write(id, match);
        expect([match, status, body.type, body.revision]).toEqual([match, 412, '/problems/stale', 2]);
        expect((await ask('GET', path(id))).headers.etag).toBe(tag(2));
      }
    },
  );

  it.each(writes)('%s: refuses a malformed ETag', async (_, write) => {
    const id = await twoRevisions();
    for (const match of [
      '',
      '""',
      '"x"',
      'W/"2"',
      '"2", "3"',
      '-1',
      '2.0',
      '"2',
      '1e0',
      '"9999999999999999"',
      '"2" 2',
    ]) {
      const { status, body } = await write(id, match);
      expect([match, status, body.errors?.[0].path]).toEqual([match, 400, 'If-Match']);
    }
    expect((await ask('GET', path(id))).headers.etag).toBe(tag(2));
  });

  it('leads to 404 if the organization does not exist, and founds no organization', async () => {
    const before = await eventsIn(served);
    expect((await rename(randomUUID(), '*')).status).toBe(404);
    expect((await addMember(randomUUID(), '"2"')).status).toBe(404);
    expect(await eventsIn(served)).toBe(before);
  });

  it('reveals no revision to a caller without permission', async () => {
    const id = await twoRevisions();
    const stranger = await served.key({ organization: randomUUID() });
    const weak = await served.key({ scopes: ['audit:read'] });
    for (const [by, status] of [
      [stranger, 404],
      [weak, 403],
    ] as const) {
      for (const [rest, body] of [
        ['', { name: 'X' }],
        ['/members', { user: randomUUID(), role: 'member' }],
      ] as const) {
        const method = rest === '' ? 'PATCH' : 'POST';
        const answer = await ask(method, path(id, rest), { key: by, body, headers: { 'If-Match': '"7"' } });
        expect([answer.status, answer.body.revision]).toEqual([status, undefined]);
      }
    }
  });
});
