import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { erasuresFolder, replayCustomerLinks, replayErasures, verifyAllChains } from '@charter/application';
import { accountStream, keyStream } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { insertForeign } from '../support/stores/foreign-events';
import type { Answer } from '../support/requests/http';
import { founded, path } from '../support/requests/organizations';
import { browser, person, signedIn } from '../support/sign-in/people';
import { eventsOf, keyId, newFolder, serving, settled } from '../support/serving';

const NOT_JSON = { data: '{"day":', metadata: '{}' };
const NO_METADATA = { data: '{}' };
const [ARRAYS, OBJECTS] = [
  '['.repeat(100_000) + ']'.repeat(100_000),
  '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000),
];
const DEEP = { data: `{"name":${ARRAYS}}`, metadata: '{}' };

/** Each case makes the name of its stream from one of these ids. */
type Ids = Readonly<Record<'account' | 'key' | 'organization', string>>;
const cases = [
  ['an account event that is not JSON', ({ account }: Ids) => accountStream(account), 'AccountDisabled', NOT_JSON],
  ['a key event that is not JSON', ({ key }: Ids) => keyStream(key), 'KeyRevoked', NOT_JSON],
  [
    'an `AccountDisabled` without metadata',
    ({ account }: Ids) => accountStream(account),
    'AccountDisabled',
    NO_METADATA,
  ],
  ['an `AccountErased` without metadata', ({ account }: Ids) => accountStream(account), 'AccountErased', NO_METADATA],
  [
    'an account event that is a number',
    ({ account }: Ids) => accountStream(account),
    'AccountErased',
    { data: '5', metadata: '5' },
  ],
  [
    'an organization event that is not JSON',
    ({ organization }: Ids) => organizationStream(organization),
    'MemberAdded',
    NOT_JSON,
  ],
  [
    'an organization event with too many levels',
    ({ organization }: Ids) => organizationStream(organization),
    'OrganizationRenamed',
    DEEP,
  ],
  ['an account event with too many levels', ({ account }: Ids) => accountStream(account), 'AccountErased', DEEP],
  ['an event of another tool that is not JSON', () => 'elsewhere-1', 'SomethingHappened', NOT_JSON],
  ['an event of another tool with too many levels', () => 'elsewhere-1', 'SomethingHappened', DEEP],
] as const;

// acceptance.md P9
describe('Event without readable content, at the end of the log,', () => {
  it.each(cases)(
    '(%s) does not prevent a start of Charter; `verify` names the stream of the event, unless another tool owns this stream',
    async (_, streamOf, type, event) => {
      const folder = newFolder();
      const served = await serving({ folder });
      const key = await served.key();
      const ada = await person(served);
      const [sick, well] = [await founded(served, { by: key, name: 'Sick' }), await founded(served, { by: key })];
      const stream = streamOf({ account: ada.id, key: await keyId(served, key), organization: sick });
      await settled(served);
      await served.stop();
      for (let copies = 0; copies < 2; copies += 1) insertForeign(folder, stream, { type, ...event });

      for (const start of ['the first', 'the second, from the bookmark'] as const) {
        const again = await serving({ folder });
        expect([start, (await again.ask('GET', path(well), { key })).status]).toEqual([start, 200]);
        const alarms = again.entries().filter(({ level, stream: of }) => level === 50 && of === stream);
        const isAudited = /^(account|key)-/.test(stream) && start === 'the first';
        expect(alarms.filter(({ msg }) => String(msg).includes('cannot be read'))).toHaveLength(isAudited ? 2 : 0);
        expect((await replayErasures(again.charter, Date.now())).erased).toBe(0);
        expect((await again.charter.database.people.accounts.byId(ada.id))?.state).toBe('active');
        expect(await again.charter.certificates.of(ada.id)).toBeUndefined();
        expect(existsSync(join(erasuresFolder(folder), `${ada.id}.erasure`))).toBe(false);
        const { broken } = await verifyAllChains(again.charter, () => () => undefined);
        const isOurs = stream !== 'elsewhere-1';
        expect(broken.map(({ stream: of, organization }) => of ?? organizationStream(organization!))).toEqual(
          isOurs ? [stream] : [],
        );
        await again.stop();
      }
    },
  );
});

describe('Event without readable content, in the stream of an account,', () => {
  const rows = [
    [
      'a `SignedOut` without a session',
      { type: 'SignedOut', data: '{}', metadata: '{"at":"2026-11-21T10:00:00.000Z"}' },
    ],
    ['an event that is not JSON', { type: 'SignedIn', ...NOT_JSON }],
    ['an event with too many levels', { type: 'SignedIn', ...DEEP }],
    ['an event without metadata', { type: 'SignedIn', ...NO_METADATA }],
    ['metadata that is null', { type: 'SignedIn', data: 'null', metadata: 'null' }],
  ] as const;

  it.each(rows)('(%s) does not lock out the person; the account can still be disabled and erased', async (_, event) => {
    const served = await serving({ environment: { RATE_LIMITS: 'off' } });
    const ada = await person(served);
    await signedIn(served, ada);
    await settled(served);
    for (let copies = 0; copies < 2; copies += 1) insertForeign(served.folder, accountStream(ada.id), event);

    const [wrong, right] = [await browser(served), await browser(served)];
    expect((await wrong.logIn(ada.email!, 'wrong password, so refused')).status).toBe(401);
    expect((await right.logIn(ada.email!)).status).toBe(204);
    for (const own of ['', '/activity', '/export'])
      expect([own, (await right.get(`/api/v1/me${own}`)).status]).toEqual([own, 200]);
    await served.runtime.deferred.settled();

    const by = () => ({
      actor: { kind: 'system', id: 'spec', powers: [] } as const,
      at: new Date(served.clock.now()).toISOString(),
      correlation: randomUUID(),
    });
    const { accounts } = served.charter;
    expect((await accounts.disable(ada.id, by()))?.state).toBe('disabled');
    expect((await accounts.enable(ada.id, by()))?.state).toBe('active');
    const erased = await accounts.erase(ada.id, by(), served.runtime.commands);
    expect(erased?.account.state).toBe('erased');
    expect(await served.charter.certificates.of(ada.id)).toContain(ada.id);
    const recorded = (await eventsOf(served, accountStream(ada.id))).slice(3).map(({ type }) => type);
    expect(recorded).toEqual(
      expect.arrayContaining(['SignInFailed', 'SignedIn', 'AccountDisabled', 'AccountEnabled', 'AccountErased']),
    );
    const why = served.entries().filter(({ msg }) => String(msg).includes('deferred work failed'));
    expect(why).toEqual([]);
    await served.close();
  });
});

describe('Event without readable content, in the stream of an organization,', () => {
  const rows = [
    ['that is not JSON', { type: 'MemberAdded', ...NOT_JSON }],
    ['with too many levels', { type: 'MemberAdded', ...DEEP }],
    ['without metadata and with null as data', { type: 'MemberAdded', data: 'null' }],
    ['a link without a customer', { type: 'BillingAccountLinked', data: '{}', metadata: '{}' }],
  ] as const;

  it.each(rows)('(%s) stops neither the change feed nor the erasure of a member', async (_, event) => {
    const folder = newFolder();
    const served = await serving({ folder, environment: { RATE_LIMITS: 'off' } });
    const key = await served.key();
    const [ada, eve] = [await person(served), await person(served)];
    const [sick, well] = [
      await founded(served, { by: key, name: 'Sick' }),
      await founded(served, { by: key, name: 'Well' }),
    ];
    for (const [id, user] of [
      [sick, ada.id],
      [well, ada.id],
      [well, eve.id],
    ] as const)
      expect((await served.ask('POST', path(id, '/members'), { key, body: { user, role: 'owner' } })).status).toBe(201);
    await settled(served);
    insertForeign(folder, organizationStream(sick), event);
    expect((await served.ask('PATCH', path(well), { key, body: { name: 'Better' } })).status).toBe(200);

    const [hers, here] = [await signedIn(served, ada), await signedIn(served, eve)];
    const feedOf = async (answer: Promise<Answer>) => {
      const { status, text } = await answer;
      expect(status).toBe(200);
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const all = await feedOf(served.ask('GET', '/api/v1/events', { key }));
    expect(all.filter(({ unreadable }) => unreadable)).toMatchObject([
      { stream: organizationStream(sick), type: event.type, revision: 2, metadata: null },
    ]);
    for (const browsing of [hers, here]) {
      const lines = await feedOf(browsing.get('/api/v1/events'));
      expect(new Set(lines.map(({ stream }) => stream))).toEqual(new Set([organizationStream(well)]));
      expect(lines.at(-1)).toMatchObject({ type: 'OrganizationRenamed' });
      expect((await browsing.get('/api/v1/me')).status).toBe(200);
      expect((await browsing.get('/api/v1/me/export')).status).toBe(200);
    }
    const names = (await hers.get('/api/v1/me')).body.organizations as { name: string }[];
    expect(names.map(({ name }) => name)).toContain('Sick');
    const links = await replayCustomerLinks(served.charter, Date.now());
    expect(links).toMatchObject({ organizations: [], unknown: 0 });

    const { accounts } = served.charter;
    const by = {
      actor: { kind: 'system', id: 'spec', powers: [] } as const,
      at: new Date().toISOString(),
      correlation: randomUUID(),
    };
    expect((await accounts.erase(ada.id, by, served.runtime.commands))?.account.state).toBe('erased');
    expect((await served.ask('GET', path(well, '/members'), { key })).body.members).toHaveLength(1);
    await served.close();
  });
});

describe('The history of an organization with events of too many levels', () => {
  it.each([
    ['arrays', ARRAYS],
    ['objects', OBJECTS],
  ])('marks these events as unreadable, and continues with the next event: %s', async (_, levels) => {
    const served = await serving();
    const key = await served.key();
    const id = await founded(served, { by: key });
    const stream = organizationStream(id);
    const metadata = JSON.stringify((await eventsOf(served, stream))[0]!.metadata);
    for (const event of [
      { type: 'OrganizationRenamed', data: `{"name":${levels}}`, metadata },
      { type: 'Newer', data: `{"name":${levels}}`, metadata },
      { type: 'Newer', data: levels, metadata },
      { type: 'OrganizationRenamed', data: '{"name":"A"}', metadata: `{"actor":${levels}}` },
      { type: 'OrganizationRenamed', data: '{"name":"A"}', metadata },
    ])
      insertForeign(served.folder, stream, event);
    const printed = [undefined, true, true, true, true, undefined];
    const lines = async (rest: string) => {
      const headers = { Accept: 'application/x-ndjson' };
      const { status, text } = await served.ask('GET', path(id, rest), { key, headers });
      expect([status, status === 200 || text]).toEqual([200, true]);
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { unreadable?: true });
    };
    expect((await lines('/events')).map(({ unreadable }) => unreadable)).toEqual(printed);
    expect((await lines('/events?order=newest')).map(({ unreadable }) => unreadable)).toEqual(printed.toReversed());
    const { body } = await served.ask('GET', path(id, '/events'), { key });
    expect((body.events as { unreadable?: true }[]).map(({ unreadable }) => unreadable)).toEqual(printed);
    for (const rest of ['/events?fold=repetitions', '/timeline', '/diff?from=0'])
      expect([rest, (await served.ask('GET', path(id, rest), { key })).status]).toEqual([rest, 500]);
    expect((await served.ask('GET', path(id, '/verify'), { key })).body).toMatchObject({
      ok: false,
      reason: expect.stringContaining(`Event 1 of ${stream} has more than 1000 levels.`),
    });

    await served.close();
  });
});

describe('The history of an organization with an event that is not JSON', () => {
  it('marks this event as unreadable, and continues with the next event, in pages and as NDJSON', async () => {
    const served = await serving();
    const key = await served.key();
    const id = await founded(served, { by: key });
    const stream = organizationStream(id);
    const metadata = JSON.stringify((await eventsOf(served, stream))[0]!.metadata);
    insertForeign(served.folder, stream, { type: 'MemberAdded', ...NOT_JSON });
    insertForeign(served.folder, stream, { type: 'OrganizationRenamed', data: '{"name":"A"}', metadata });
    const unreadable = [undefined, true, undefined];

    const headers = { Accept: 'application/x-ndjson' };
    const { text } = await served.ask('GET', path(id, '/events'), { key, headers });
    const lines = text.trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { unreadable?: true });
    expect(events.map((event) => event.unreadable)).toEqual(unreadable);
    expect((await served.ask('GET', path(id, '/events'), { key })).body.events).toEqual(events);
    const at = (JSON.parse(metadata) as { at: string }).at;
    for (const range of [`from=${at}`, `to=${at}`])
      expect((await served.ask('GET', path(id, `/events?${range}`), { key })).body.events).toEqual(events);
    const later = (await served.ask('GET', path(id, '/events?from=2100-01-01T00:00:00.000Z'), { key })).body;
    expect(later.events).toEqual([]);
    for (const rest of ['/events?fold=repetitions', '/timeline'])
      expect((await served.ask('GET', path(id, rest), { key })).body.type).toBe('/problems/unreadable-history');
    await served.close();
  });

  it('is not exported or signed; verifications name the event', async () => {
    const served = await serving();
    const key = await served.key();
    const id = await founded(served, { by: key });
    insertForeign(served.folder, organizationStream(id), { type: 'MemberAdded', ...NOT_JSON });
    const why = `it cannot be read: Event 1 of ${organizationStream(id)} is not JSON.`;
    for (const rest of ['/export', '/checkpoint'])
      expect([rest, (await served.ask('GET', path(id, rest), { key })).body]).toMatchObject([
        rest,
        { type: '/problems/broken-chain', at: 1, why },
      ]);
    const verified = (await served.ask('GET', path(id, '/verify'), { key })).body;
    expect(verified).toMatchObject({ ok: false, at: 1, reason: why });
    const { broken } = await verifyAllChains(served.charter, () => () => undefined);
    expect(broken).toMatchObject([{ organization: id, at: 1, reason: why }]);
    await served.close();
  });
});
