import { z } from 'zod';
import { schemaOf } from './commands';
import { AmountByHand, Hostname, Id, Month, Name, ProviderId, Quantity, Reason, When } from './words';

const isRefused = (schema: z.ZodType, value: unknown) => !schema.safeParse(value).success;
const messagesOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

describe('Id', () => {
  it.each(['00000000-0000-0000-0000-000000000001', 'aaaaaaaa-0000-f000-0000-000000000001'])(
    'is any UUID, such as %s',
    (id) => expect(Id.parse(id)).toBe(id),
  );

  it('is stored in lower case', () => {
    expect(Id.parse('AAAAAAAA-0000-4000-8000-00000000000F')).toBe('aaaaaaaa-0000-4000-8000-00000000000f');
  });

  it.each([
    '',
    'ada',
    '__proto__',
    'constructor',
    'aaaaaaaa-0000-4000-8000-00000000001',
    'aaaaaaaa-0000-4000-8000-0000000000011',
    'aaaaaaaa000040008000000000000001',
    ' aaaaaaaa-0000-4000-8000-000000000001',
    'aaaaaaaa-0000-4000-8000-000000000001\n',
    'gaaaaaaa-0000-4000-8000-000000000001',
    null,
    7,
    ['aaaaaaaa-0000-4000-8000-000000000001'],
  ])('is not %j', (value) => expect(isRefused(Id, value)).toBe(true));
});

describe.each([
  ['a name', Name, 200],
  ['a reason', Reason, 500],
])('%s', (_what, schema, max) => {
  it('is stored in one canonical form, even if a person typed another form', () => {
    const composed = 'Caf\u00e9 M\u00fcnchen';
    expect(composed.normalize('NFD')).not.toBe(composed);
    expect(schema.parse(composed.normalize('NFD'))).toBe(composed);
    expect(schema.parse(composed)).toBe(composed);
  });

  it('is stored without spaces at its ends, but with the spaces inside', () => {
    expect(schema.parse(' \u00a0\t Acme & Sons  Ltd. \n')).toBe('Acme & Sons  Ltd.');
  });

  it.each(['', ' ', '\t\n', '\u00a0\u3000'])('is not empty: %j', (text) =>
    expect(messagesOf(schema, text)).toContain('must not be empty'),
  );

  it('has a maximum length, measured in the stored form', () => {
    expect(schema.parse('a'.repeat(max))).toHaveLength(max);
    expect(schema.parse(` ${'e\u0301'.repeat(max)} `)).toBe('\u00e9'.repeat(max));
    expect(Array.from(schema.parse('💩'.repeat(max)))).toHaveLength(max);
    expect(messagesOf(schema, 'a'.repeat(max + 1))).toEqual([`must not be longer than ${max} characters`]);
    expect(isRefused(schema, '💩'.repeat(max + 1))).toBe(true);
    // the form that Charter stores is twice as long as the typed text
    expect(isRefused(schema, '\u0958'.repeat(max))).toBe(true);
  });

  it('has its minimum and maximum length in the JSON schema', () => {
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'string', minLength: 1, maxLength: max });
  });

  it.each([
    ['a null byte', 'Ac\u0000me'],
    ['a line feed', 'Ac\nme'],
    ['an escape', 'Ac\u001b[31mme'],
    ['delete', 'Ac\u007fme'],
    ['a C1 control', 'Ac\u0085me'],
    ['a lone high surrogate', 'Ac\ud83dme'],
    ['a lone low surrogate', 'Ac\ude00me'],
    ['a right-to-left override', 'Ac\u202eme'],
    ['a left-to-right mark', 'Ac\u200eme'],
    ['an Arabic letter mark', 'Ac\u061cme'],
    ['an isolate', 'Ac\u2066me'],
    ['a zero-width space', 'Ac\u200bme'],
    ['a zero-width joiner', 'Ac\u200dme'],
    ['a zero-width non-joiner', 'Ac\u200cme'],
    ['a byte order mark', 'Ac\ufeffme'],
    ['a word joiner', 'Ac\u2060me'],
    ['a joiner without a second letter', 'می\u200c'],
    ['a soft hyphen', 'Ac\u00adme'],
    ['a grapheme joiner', 'Ac\u034fme'],
    ['a Hangul filler', '\u3164'],
    ['a selector', 'Acme\ufe0f'],
    ['a tag', 'Acme\u{e0041}'],
    ['a line separator', 'Ac\u2028me'],
    ['a paragraph separator', 'Ac\u2029me'],
    ['an interlinear mark', 'Ac\ufff9me'],
  ])('does not contain %s', (_name, text) => {
    expect(messagesOf(schema, text)).toEqual(['must not contain control or invisible characters']);
  });

  it.each([
    ['emoji joined by joiners and selectors', 'Team 👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Devanagari with a joiner', 'क्‍ष'],
    ['right-to-left letters', 'חברה בעמ'],
    ['Chinese', '株式会社'],
    ['mathematics beyond the first plane', '𝒜cme'],
    ['markup, which is only text', '<b>Acme</b> & "Sons"'],
  ])('may contain %s', (_name, text) => expect(schema.parse(text)).toBe(text.normalize('NFC')));

  it.each([null, undefined, 7, {}, ['Acme'], true])('is not %j', (value) =>
    expect(isRefused(schema, value)).toBe(true),
  );
});

describe("Provider's id", () => {
  it.each(['p', 'sub_1NXs', 'constructor', 'a'.repeat(255), '!~', 'gid://shop/1?x=%20', 'a b', 'é'])(
    'may be any printable text: %s',
    (id) => expect(ProviderId.parse(id)).toBe(id),
  );

  it.each(['', '  ', 'a'.repeat(256), 'a\n', '\u0000', '\u202e', '\ud800', '__proto__', 7, null])('is not %j', (id) =>
    expect(isRefused(ProviderId, id)).toBe(true),
  );
});

describe.each([
  ['a plan', schemaOf('AssignPlan').shape.plan],
  ['an add-on', schemaOf('PurchaseAddOn').shape.addOn],
])('The name of %s in a command', (_what, schema) => {
  it.each(['solo', 'Our own plan', 'constructor', 'a'.repeat(100)])('may be any printable text: %s', (name) =>
    expect(schema.parse(name)).toBe(name),
  );

  it.each(['', ' ', 'a'.repeat(101), 'a\0b', 'a\nb', '\u202e', '\u200b', '__proto__', null])('is not %j', (name) =>
    expect(isRefused(schema, name)).toBe(true),
  );
});

describe('Moment', () => {
  it.each([
    ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T00:00:00.5Z', '2026-11-01T00:00:00.500Z'],
    ['2026-11-01T01:00:00+01:00', '2026-11-01T00:00:00.000Z'],
    ['2026-10-31T18:30:00-05:30', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T00:00:00.123999Z', '2026-11-01T00:00:00.123Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is stored as %s', (moment, utc) => expect(When.parse(moment)).toBe(utc));

  it.each([
    ['a day that is not in the calendar', '2026-02-30T00:00:00Z'],
    ['a leap day of another year', '2026-02-29T00:00:00Z'],
    ['the 13th month', '2026-13-01T00:00:00Z'],
    ['the 24th hour', '2026-11-01T24:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['no offset', '2026-11-01T00:00:00'],
    ['an offset beyond the day', '2026-11-01T00:00:00+25:00'],
    ['a day without a time', '2026-11-01'],
    ['a year of five digits', '+012026-11-01T00:00:00Z'],
    ['a year that becomes one of five digits', '9999-12-31T23:59:59-14:00'],
    ['the year before the first', '0000-12-31T23:59:59Z'],
    ['a year that becomes one before the first', '0001-01-01T00:00:00+14:00'],
    ['a number', 1793491200000],
    ['words', 'tomorrow'],
    ['nothing', ''],
    ['null', null],
  ])('is not %s', (_name, moment) => expect(isRefused(When, moment)).toBe(true));

  it('has a text form whose alphabetical order is the order of time', () => {
    const moments = [
      '0001-01-01T00:00:00Z',
      '1999-12-31T23:00:00-05:00',
      '2000-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59Z',
    ];
    const utc = moments.map((moment) => When.parse(moment));
    expect(new Set(utc.map((moment) => moment.length))).toEqual(new Set([24]));
    expect(utc.toSorted()).toEqual(utc.toSorted((a, b) => Date.parse(a) - Date.parse(b)));
  });
});

describe('Month', () => {
  it.each(['2026-01', '2026-12', '1999-10'])('may be %s', (month) => expect(Month.parse(month)).toBe(month));
  it.each(['2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', ' 2026-01', '2026-01\n', '__proto__', 202601, null])(
    'is not %j',
    (month) => expect(isRefused(Month, month)).toBe(true),
  );
});

describe.each([
  ['a quantity', Quantity, [1, 2, 10_000], [0, 10_001]],
  ['an amount by hand', AmountByHand, [0, 1, 1_000_000_000, null], [1_000_000_001]],
])('%s', (_what, schema, fine, beyond) => {
  it.each(fine)('may be %j', (value) => expect(schema.parse(value)).toBe(value));
  it.each([...beyond, -1, 1.5, Infinity, JSON.parse('1e400'), NaN, 2 ** 53 + 1, '10', '', true, [1], {}])(
    'is not %j',
    (value) => expect(isRefused(schema, value)).toBe(true),
  );
});

describe('Hostname of a command', () => {
  it('is stored in ASCII, even if the caller sent another form', () => {
    expect(Hostname.parse('https://MÜNCHEN.de/shop?x=1')).toBe('xn--mnchen-3ya.de');
  });

  it.each([
    ['', 'must not be empty'],
    [' ', 'must not be empty'],
    ['ftp://shop.example', 'must begin with https:// or http://, or with the hostname itself'],
    ['https://ada@shop.example', 'must not contain a user name or "@"'],
    ['shop.example:8080', 'must not contain a port or ":"'],
    ['192.168.0.1', 'must be a name, not an IP address'],
    ['https://0x7f.1/', 'must be a name, not an IP address'],
    ['http://[::1]/', 'must be a name, not an IP address'],
    ['my shop.example', 'must not contain spaces'],
    ['shop.example.', 'must not end with a dot'],
    ['intranet', 'must contain a dot, as in www.example.com'],
    ['xn--a.example', 'contains a part with "xn--" that is no valid name'],
    [
      'shop<1>.example',
      'contains characters that no hostname may contain; a hostname is a name such as www.example.com',
    ],
    [
      'shop.example\0',
      'contains characters that no hostname may contain; a hostname is a name such as www.example.com',
    ],
    [`shop.example/${'x'.repeat(8_192)}`, 'must not be longer than 8192 characters'],
  ])('says which rule the address %j breaks', (address, fault) => {
    expect(messagesOf(Hostname, address)).toEqual([fault]);
  });

  it('is refused if it is not text', () => {
    expect(isRefused(Hostname, 7)).toBe(true);
  });
});

describe('Hostile name', () => {
  it('is refused within half a second, because its length is checked first', () => {
    const text = `a${'\u0301'.repeat(25_000)}${'\u0323'.repeat(25_000)}`;
    const began = performance.now();
    expect(isRefused(Name, text)).toBe(true);
    // the check of a name usually takes far less than half a second
    expect(performance.now() - began).toBeLessThan(500);
  });

  it.each(['\u2800', 'a\u2800'])('is refused if it contains invisible characters: %j', (text) =>
    expect(isRefused(Name, text)).toBe(true),
  );
});
