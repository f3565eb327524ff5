import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Answer, sendRaw, type Sent } from '../../support/requests/http';
import { founded, path } from '../../support/requests/organizations';
import { expectUnharmed, refusedBy } from '../../support/requests/refusals';
import type { Route } from '../../support/requests/routes';
import { type Served, serving, settled } from '../../support/serving';
import {
  jsonRoutes,
  rightRequests,
  type FullOrganization,
  fullOrganization,
} from '../../support/requests/full-organization';

let served: Served;
let key: string;
let here: FullOrganization;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  key = await served.key();
  here = await fullOrganization(served, key);
  await settled(served);
});
afterAll(() => served.close());

afterEach(() => expectUnharmed(served, key));

const refused = refusedBy(() => served);
const askAt = (route: Route, sent: Sent) =>
  served.ask(route.split(' ')[0]!, rightRequests[route]!(here).path, { key, ...sent });
const members = () => path(here.id, '/members');

const json = 'application/json';
type BadBody = readonly [name: string, body: string | Buffer, statuses: number[], type?: string];
/** Request bodies that every route with a JSON body must refuse, each with the statuses that the refusal may have. */
const bad: readonly BadBody[] = [
  ['no JSON at all', 'name=Acme', [415], 'application/x-www-form-urlencoded'],
  ['JSON as text', '{}', [415], 'text/plain'],
  ['JSON as a form', '{}', [415], 'multipart/form-data; boundary=x'],
  ['a similar content type', '{}', [415], 'application/jsonp'],
  ['another JSON content type', '{}', [415], 'application/ld+json'],
  ['the content type in a parameter', '{}', [415], 'text/plain; application/json'],
  ['another charset', '{}', [415], 'application/json; charset=utf-16'],
  ['a strange parameter', '{}', [415], 'application/json; charset=utf-8; a=b'],
  ['two content types', '{}', [415], 'application/json, text/plain'],
  ['an empty content type', '{}', [415], ''],
  ['100 KiB and one', `{"a":"${'x'.repeat(102_400 - 7)}"}`, [413]],
  ['2 MiB', `{"a":"${'x'.repeat(2_097_152)}"}`, [413]],
  ['an array of a million', `[${'0,'.repeat(999_999)}0]`, [413]],
  ['100 levels', deep(100), [400]],
  ['1,000 levels', deep(1_000), [400]],
  ['10,000 levels', deep(10_000), [400]],
  ['10,000 levels of objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), [400]],
  ['levels inside a known field', `{"commands":${deep(500)}}`, [400]],
  ['a hundred thousand keys', keys(100_000), [413]],
  ['ten thousand keys', keys(10_000), [400]],
  ['a truncated object', '{"name":"Acme"', [400]],
  ['an object after the object', '{"name":"Acme"} {}', [400]],
  ['a trailing comma', '{"name":"Acme",}', [400]],
  ['NaN', '{"quantity":NaN}', [400]],
  ['Infinity', '{"users":Infinity}', [400]],
  ['a comment', '{"name":"Acme"/* */}', [400]],
  ['single quotes', "{'name':'Acme'}", [400]],
  ['a byte order mark', Buffer.from('\ufeff{"name":"Acme"}'), [400]],
  ['UTF-16', Buffer.from('{"name":"Acme"}', 'utf16le'), [400]],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), [400]],
  ['overlong UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]), [400]],
  ['half a character', '{"name":"\\ud800"}', [400]],
  ['half a character in a field', '{"\\udc00":"x"}', [400]],
  ['a raw null byte', '{"name":"a\0b"}', [400]],
  ['nothing but space', '   ', [400]],
  ['an array', '[]', [400]],
  ['null', 'null', [400]],
  ['a text', '"{}"', [400]],
  ['a number', '7', [400]],
  ['true', 'true', [400]],
  ['__proto__', '{"__proto__":{"polluted":1}}', [400]],
  ['__proto__ deep inside', '{"commands":[{"type":"x","data":{"__proto__":{"polluted":1}}}]}', [400]],
  ['__proto__ in escapes', '{"\\u005f_proto__":{"polluted":1}}', [400]],
  ['constructor', '{"constructor":{"prototype":{"polluted":1}}}', [400]],
  ['prototype', '{"prototype":{"polluted":1}}', [400]],
];
const badBodies = bad.map(([name, body, statuses, type = json]) => [name, body, statuses, type] as const);

describe.each(jsonRoutes)('S1, S2, S3, S4, S5, S6, S7: Body at %s', (route) => {
  it('is refused when it is malformed', async () => {
    for (const [name, body, statuses, type] of badBodies)
      await refused(name, () => askAt(route, { body, headers: { 'Content-Type': type } }), ...statuses);
  });

  it('is refused when it has no content type, is empty or is compressed', async () => {
    const { body } = rightRequests[route]!(here);
    const raw = (head: string, bytes: Buffer) => rawAt(route, head, bytes);
    const right = Buffer.from(JSON.stringify(body));
    await refused('no type', () => raw(`Content-Length: ${right.length}`, right), 415);
    await refused('no body', () => raw('', Buffer.of()), 400);
    const bomb = gzipSync(Buffer.alloc(10_000_000, ' '));
    const packed = (encoding: string, bytes: Buffer) =>
      raw(`Content-Type: ${json}\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bytes.length}`, bytes);
    for (const encoding of ['gzip', 'deflate', 'br', 'zip', 'gzip, gzip', 'GZIP'])
      await refused(encoding, () => packed(encoding, bomb), 415);
  });

  it('is refused when it is too large, or when its length is missing or wrong', async () => {
    const much = Buffer.alloc(200_000, 'x');
    const chunk = Buffer.concat([Buffer.from(`${much.length.toString(16)}\r\n`), much, Buffer.from('\r\n0\r\n\r\n')]);
    await refused('chunked', () => rawAt(route, `Content-Type: ${json}\r\nTransfer-Encoding: chunked`, chunk), 413);
    await refused(
      'a length beyond all',
      () => rawAt(route, `Content-Type: ${json}\r\nContent-Length: 99999999999`, Buffer.of()),
      413,
    );
    for (const length of ['-1', 'x', '1, 2', '0x10'])
      await refused(
        length,
        () => rawAt(route, `Content-Type: ${json}\r\nContent-Length: ${length}`, Buffer.from('{}')),
        400,
      );
    const both = `Content-Type: ${json}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked`;
    await refused('both', () => rawAt(route, both, Buffer.from('0\r\n\r\n')), 400);
  });

  it('is refused when a field has a wrong type or value, or is unknown (H8)', async () => {
    const { body = {} } = rightRequests[route]!(here);
    const fields = Object.keys(body);
    const wrongs = [[], {}, [[]], { length: 1 }, -1.5, '', '\0', '\u202e', ' '.repeat(5), { $gt: '' }];
    for (const field of fields)
      for (const wrong of wrongs) {
        const changed = { ...body, [field]: wrong };
        // A wrong text can also get 409: for example, it can be a well-formed name of a plan that does not exist.
        await refused([field, wrong], () => askAt(route, { body: changed }), 400, 409);
      }
    for (const extra of [
      'role',
      'id',
      'orgId',
      'organization',
      'isOperator',
      'plan',
      'limits',
      'version',
      'actor',
      'at',
      'createdAt',
      'toString',
      'hasOwnProperty',
      '$where',
    ])
      if (!fields.includes(extra) && !mayBeNamed(route, extra))
        await refused(extra, () => askAt(route, { body: { ...body, [extra]: 'x' } }), 400);
  });
});

/** Whether `field` is an optional field of the route's body that the valid request leaves out. */
const mayBeNamed = (route: Route, field: string) =>
  (field === 'limits' && route.endsWith('/limits')) ||
  (field === 'plan' && route.includes('plan')) ||
  // CloudEvents allows extension attributes with such names
  (route.endsWith('/billing/events') && /^[a-z0-9]+$/.test(field));

describe('Fast path in front of Nest', () => {
  const right = () => ({ user: randomUUID(), role: 'member' });
  it.each(badBodies)(
    'refuses this body with the same problem as the Nest route: %s',
    async (name, body, statuses, type) => {
      const headers = { 'Content-Type': type };
      const one = await refused(name, () => served.ask('POST', members(), { key, body, headers }), ...statuses);
      const other = await refused(
        name,
        () => served.ask('POST', members(), { key, body, headers: { ...headers, 'Idempotency-Key': randomUUID() } }),
        ...statuses,
      );
      expect({ ...one.body, instance: '' }).toEqual({ ...other.body, instance: '' });
    },
  );

  it('accepts valid spellings of the content type `application/json`', async () => {
    const spaced = JSON.stringify(right(), null, 8);
    for (const type of [
      json,
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json; charset=utf8',
      'application/json;charset="UTF-8"',
      ' application/json ',
      'application/json;',
    ])
      expect([
        type,
        (await served.ask('POST', members(), { key, body: right(), headers: { 'Content-Type': type } })).status,
      ]).toEqual([type, 201]);
    expect(
      (
        await served.ask('POST', members(), {
          key,
          body: spaced.replace(/"user": "[^"]+"/, `"user": "${randomUUID()}"`),
        })
      ).status,
    ).toBe(201);
    const plain = { 'Content-Encoding': 'Identity' };
    expect((await served.ask('POST', members(), { key, body: right(), headers: plain })).status).toBe(201);
  });

  it('refuses a JSON object in which two fields have the same name', async () => {
    for (const last of [randomUUID(), 'x'])
      await refused(
        'twice',
        () =>
          served.ask('POST', members(), { key, body: `{"user":"${randomUUID()}","user":"${last}","role":"member"}` }),
        400,
      );
  });

  it('answers 413 to a chunked body that grows beyond the limit', async () => {
    const pieces = Array.from({ length: 40 }, () =>
      Buffer.concat([Buffer.from('2000\r\n'), Buffer.alloc(0x2000, 'x'), Buffer.from('\r\n')]),
    );
    const head = `POST ${members()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${json}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    await refused('pieces', () => sendRaw(served.url, head, ...pieces), 413);
  });
});

describe('S7: Amount', () => {
  const amounts = ['1e400', '-1', '1.5', '9007199254740993', '"10"', 'true', '[1]', '-1e-400.', '0x10', '1_000', '01'];
  it.each([
    ['PUT', '/limits', 'users', amounts],
    ['POST', '/add-ons', 'quantity', [...amounts, '0', '-0', '10001', 'null']],
    ['PUT', '/add-ons/:purchase', 'quantity', [...amounts, '0', '-0', '10001', 'null']],
    ['POST', '/traffic', 'views', [...amounts, 'null']],
  ])('that is invalid is refused by %s %s', async (method, rest, field, wrong) => {
    const others = rest === '/traffic' ? '"month":"2026-03",' : rest === '/add-ons' ? '"addOn":"feedback",' : '';
    for (const amount of wrong) {
      const body = `{${others}"${field}":${amount}}`;
      const at = path(here.id, rest.replace(':purchase', here.purchase));
      await refused(body, () => served.ask(method, at, { key, body }), 400);
    }
  });

  it('of -0 in a limit is stored as 0', async () => {
    const id = await founded(served, { by: key });
    const answer = await served.ask('PUT', path(id, '/limits'), { key, body: '{"users":-0}' });
    expect([answer.status, answer.text.includes('"users":0')]).toEqual([200, true]);
    expect((await served.ask('GET', path(id, '/entitlements/users'), { key })).body).toMatchObject({
      limit: null,
      unlimited: true,
    });
  });
});

function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function keys(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;
}

function rawAt(route: Route, head: string, bytes: Buffer): Promise<Answer> {
  const [method] = route.split(' ');
  const first = `${method} ${rightRequests[route]!(here).path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  return sendRaw(served.url, `${first}${head === '' ? '' : `${head}\r\n`}\r\n`, bytes);
}
