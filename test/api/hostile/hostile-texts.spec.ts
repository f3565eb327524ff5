import { randomUUID } from 'node:crypto';
import { done, founded, path } from '../../support/requests/organizations';
import { expectUnharmed, refusedBy } from '../../support/requests/refusals';
import { type Served, serving, settled } from '../../support/serving';
import { corpus } from '../../../libs/organization/src/testing/hostnames.testing';

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  await founded(served, { by: key });
  await settled(served);
});
afterAll(() => served.close());
afterEach(() => expectUnharmed(served, key));

const refused = refusedBy(() => served);
const ask = (method: string, at: string, body?: unknown) => served.ask(method, at, { key, body });
const document = async (id: string) => (await ask('GET', path(id))).body;

/** Founds an organization that may have any number of quality-assurance and web-analytics domains. */
async function unlimitedOrganization(): Promise<string> {
  const id = await founded(served, { by: key });
  await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'enterprise' }]);
  return id;
}

describe('S13: Hostname from the table in `acceptance.md`', () => {
  it.each([
    ['/sites', (body: Document) => body.sites],
    ['/quality-assurance/domains', (body: Document) => body.qualityAssurance.domains],
    ['/web-analytics/domains', (body: Document) => body.webAnalytics.domains],
  ])('is stored in ASCII and shown in Unicode at %s, or refused', async (rest, listIn) => {
    for (const [number, input, hostname, unicode] of corpus) {
      const id = await unlimitedOrganization();
      if (hostname === null) {
        const { body } = await refused(number, () => ask('POST', path(id, rest), { hostname: input }), 400);
        expect([number, body.errors[0].path]).toEqual([number, 'hostname']);
        continue;
      }
      const made = await ask('POST', path(id, rest), { hostname: input });
      expect([number, made.status, made.body.events?.[0]?.data.hostname]).toEqual([number, 201, hostname]);
      const [entry] = listIn(await document(id));
      expect([number, entry]).toMatchObject([number, { _id: made.body.id, hostname, unicode }]);
    }
  });

  it.each(['/sites', '/quality-assurance/domains', '/web-analytics/domains'])(
    'is refused at %s if the same hostname is already stored in another spelling',
    async (rest) => {
      const id = await unlimitedOrganization();
      expect((await ask('POST', path(id, rest), { hostname: 'münchen.de' })).status).toBe(201);
      for (const twin of [
        'xn--mnchen-3ya.de',
        'MÜNCHEN.DE',
        'mu\u0308nchen.de',
        'https://münchen.de/x',
        ' münchen.de ',
        'mün\u00adchen.de',
      ]) {
        const { body } = await refused(twin, () => ask('POST', path(id, rest), { hostname: twin }), 409);
        expect([twin, body.type]).toEqual([twin, '/problems/hostname-taken']);
      }
      // the `с` of this hostname is a Cyrillic letter
      const lookAlike = await ask('POST', path(id, rest), { hostname: 'mün\u0441hen.de' });
      expect([lookAlike.status, lookAlike.body.events[0].data.hostname]).toEqual([201, expect.stringMatching(/^xn--/)]);
    },
  );

  it('S15: of 50 kB gets an answer as fast as a text of 50 kB in an unknown field, which no regular expression checks', async () => {
    const id = await unlimitedOrganization();
    const fastest = (body: object) => fastestOf(5, () => ask('POST', path(id, '/sites'), body));
    for (const worst of [
      'a.'.repeat(25_000),
      'ü'.repeat(25_000),
      '%'.repeat(50_000),
      `https://${'a@'.repeat(25_000)}`,
      '.'.repeat(50_000),
      '[' + ':'.repeat(50_000),
    ]) {
      const floor = await fastest({ unknown: worst });
      expect(await fastest({ hostname: worst })).toBeLessThan(10 * floor + 50); // milliseconds
    }
  });
});

const fields = [
  ['the name of an organization', 'PATCH', '', 'name', (body: Document) => body.name],
  ['the name of a site', 'POST', '/sites', 'name', (body: Document) => body.sites[0]?.name],
] as const;

describe.each(fields)('S4, S8, S12: A text as %s', (_, method, rest, field, textIn) => {
  const put = (id: string, text: unknown) =>
    ask(method, path(id, rest), { ...(rest === '/sites' && { hostname: 'shop.example' }), [field]: text });

  it('is stored unchanged, even if it looks like code', async () => {
    for (const text of [
      "'; drop table documents; --",
      '" or ""="',
      '{"$gt":""}',
      '*)(uid=*))(|(uid=*',
      '$(reboot)',
      '`id`',
      '{{7*7}}',
      '${7*7}',
      '<script>alert(1)</script>',
      '=cmd|calc!A1',
      '@SUM(1)',
      '%00',
      '../../etc/passwd',
      '%s%n',
      'null',
      '__proto__',
      'constructor',
      '\\u0000',
      '👩‍👩‍👧',
      'شركة',
      'x'.repeat(200),
    ]) {
      const id = await unlimitedOrganization();
      expect([text, Math.floor((await put(id, text)).status / 100)]).toEqual([text, 2]);
      expect(textIn(await document(id))).toBe(text);
      expect((await ask('GET', path(id, '?asOf=2'))).status).toBe(200);
    }
  });

  it('is stored without surrounding spaces, and in the Unicode form NFC', async () => {
    const [one, two] = [await unlimitedOrganization(), await unlimitedOrganization()];
    for (const [id, text] of [
      [one, ' Cafe\u0301 '],
      [two, 'Café'],
    ] as const)
      await put(id, text);
    expect([textIn(await document(one)), textIn(await document(two))]).toEqual(['Café', 'Café']);
  });

  it('is refused if it is empty or too long, or contains invisible characters or characters that reverse the text', async () => {
    const id = await unlimitedOrganization();
    const unseen = [
      '\0',
      'a\0b',
      'a\u200bb',
      'a\u202eb',
      'a\u2066b',
      'a\ufeffb',
      'a\u00adb',
      'a\u2028b',
      'a\nb',
      'a\rb',
      '\u001b[31m',
      '\u3164',
      '\u{e0041}x',
      '',
      ' ',
      '\u00a0',
      'x'.repeat(201),
    ];
    for (const text of unseen) {
      const { body } = await refused(text, () => put(id, text), 400);
      expect([text, body.errors[0].path]).toEqual([text, field]);
    }
  });
});

describe('Unknown name', () => {
  const strange = [
    'none',
    'Essential',
    'essential ',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'first/essential',
    'е\u0455sential',
    '\0',
    'x'.repeat(100),
  ];

  it('of a plan, an add-on or a service level is refused', async () => {
    const id = await unlimitedOrganization();
    for (const name of strange) {
      const status = ['__proto__', '\0'].includes(name) ? 400 : 409;
      for (const line of ['first', 'second']) {
        await refused(name, () => ask('PUT', path(id, '/plan'), { line, plan: name }), status);
        await refused(name, () => ask('POST', path(id, '/plan/preview'), { line, plan: name }), status);
      }
      const purchase = await refused(name, () => ask('POST', path(id, '/add-ons'), { addOn: name }), status);
      expect(purchase.body.type).toBe(status === 400 ? '/problems/malformed' : '/problems/unknown-add-on');
      await refused(
        name,
        () => ask('PUT', path(id, '/service-level'), { serviceLevel: name === 'none' ? 'gold' : name }),
        400,
      );
      await refused(name, () => ask('PUT', path(id, '/plan'), { line: name, plan: 'essential' }), 400);
    }
  });

  it('of a feature, a limit, a role or a command is refused, and so is an invalid month', async () => {
    const id = await unlimitedOrganization();
    const { id: site } = (await ask('POST', path(id, '/sites'), { hostname: 'shop.example' })).body;
    for (const name of strange) {
      await refused(name, () => ask('PATCH', path(id, `/sites/${site}`), { features: { [name]: true } }), 400);
      await refused(name, () => ask('PUT', path(id, '/limits'), { [name]: 5 }), 400);
      await refused(name, () => ask('POST', path(id, '/members'), { user: randomUUID(), role: name }), 400);
      await refused(name, () => ask('POST', path(id, '/traffic'), { month: name, views: 1 }), 400);
      await refused(name, () => ask('POST', path(id, '/commands'), { commands: [{ type: name, data: {} }] }), 400);
    }
    for (const month of ['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', '９９９９-01', '2999-01'])
      await refused(month, () => ask('POST', path(id, '/traffic'), { month, views: 1 }), 400, 409);
    for (const type of ['FoundOrganization', 'LinkBillingAccount', 'ConfigureSingleSignOn', 'RemoveSingleSignOn'])
      await refused(type, () => ask('POST', path(id, '/commands'), { commands: [{ type, data: { name: 'X' } }] }), 400);
    await refused(
      '21',
      () => ask('POST', path(id, '/commands'), { commands: Array(21).fill({ type: 'EnableProduct' }) }),
      400,
    );
    await refused('0', () => ask('POST', path(id, '/commands'), { commands: [] }), 400);
  });

  it('as the id of a purchase is stored unchanged, even if it is the name of a JavaScript property', async () => {
    const id = await unlimitedOrganization();
    for (const purchase of [
      'constructor',
      'toString',
      'hasOwnProperty',
      "a'b",
      'a/b',
      '%2e%2e',
      'a b',
      'é',
      '.',
      '..',
    ]) {
      const made = await ask('POST', path(id, '/add-ons'), { addOn: 'additionalUser', purchase });
      expect([purchase, made.status, made.body.id]).toEqual([purchase, 201, purchase]);
      if (!/^\.\.?$/.test(purchase))
        expect((await ask('DELETE', made.headers.location!)).body.events[0].data.purchase).toBe(purchase);
    }
    for (const purchase of ['__proto__', '', ' ', 'a\nb', '\0', '\u001b', 'é\u202e', '\ud800', 'x'.repeat(256)])
      await refused(purchase, () => ask('POST', path(id, '/add-ons'), { addOn: 'additionalUser', purchase }), 400);
  });
});

it('An invalid end of a limit override is refused', async () => {
  const id = await unlimitedOrganization();
  for (const until of [
    'tomorrow',
    '2026-11-21',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '2026-11-21T25:00:00Z',
    '',
    0,
    '1999-01-01T00:00:00Z',
  ])
    await refused(until, () => ask('PUT', path(id, '/limits/override'), { reason: 'x', until }), 400, 409);
});

/** The milliseconds of the fastest of these requests. Other work on the machine seldom delays all of them. */
async function fastestOf(count: number, request: () => Promise<{ status: number }>): Promise<number> {
  let fastest = Infinity;
  for (let time = 0; time < count; time += 1) {
    const begun = performance.now();
    expect((await request()).status).toBeLessThan(500);
    fastest = Math.min(fastest, performance.now() - begun);
  }
  return fastest;
}

type Entry = Readonly<{ _id: string; hostname: string; name?: string }>;
type Document = Readonly<{
  name: string;
  sites: readonly Entry[];
  qualityAssurance: { domains: readonly Entry[] };
  webAnalytics: { domains: readonly Entry[] };
}>;
