import { eventBytes, APPEND_BYTES_MAX, serializeEvents } from './serialized-event';
import type { ExpectedRevision, NewEvent } from './port';

const id = '7c9f1f2e-2f5e-4a53-9d4c-0f2e6b1d8a10';
const noted = (data: object, metadata?: object): NewEvent => ({
  id,
  type: 'Noted',
  data,
  ...(metadata && { metadata }),
});
const of = (...events: NewEvent[]) => serializeEvents('s-1', events, 'any');

describe('Serialized event', () => {
  it('contains JSON text, and its id in lower case', () =>
    expect(of({ ...noted({ text: 'héllo', none: null }, {}), id: id.toUpperCase() })).toEqual([
      { id, type: 'Noted', data: '{"text":"héllo","none":null}', metadata: '{}' },
    ]));

  it('distinguishes absent metadata from empty metadata', () => expect(of(noted({}))[0]!.metadata).toBeNull());

  it('keeps a JSON key with the name __proto__', () =>
    expect(of(noted(JSON.parse('{"__proto__":{"a":1}}') as object))[0]!.data).toBe('{"__proto__":{"a":1}}'));

  it('accepts plain objects of another realm and objects without a prototype', () =>
    expect(of(noted(structuredClone({ a: Object.assign(Object.create(null) as object, { b: [] }) })))[0]!.data).toBe(
      '{"a":{"b":[]}}',
    ));
});

describe('Content that JSON cannot represent without loss', () => {
  const cycle: Record<string, unknown> = {};
  cycle['again'] = [cycle];
  const deep: unknown[] = [];
  for (let level = 0, inner = deep; level < 200_000; level++) inner.push((inner = []));

  it.each<[string, object]>([
    ['a BigInt', { a: 1n }],
    ['undefined', { a: undefined }],
    ['undefined in a list', { a: [undefined] }],
    ['a hole in a list', { a: new Array(1) }],
    ['NaN', { a: Number.NaN }],
    ['Infinity', { a: [Number.POSITIVE_INFINITY] }],
    ['a function', { a: () => 1 }],
    ['a symbol', { a: Symbol('a') }],
    ['half of a surrogate pair', { a: 'x\ud800' }],
    ['half of a surrogate pair in a key', { '\udc00': 1 }],
    ['a cycle', cycle],
    ['a list that is nested too deeply', deep],
    ['a date', { a: new Date(0) }],
    ['a map', { a: new Map() }],
    [
      'an object of a class',
      new (class Point {
        x = 1;
      })(),
    ],
    ['a text instead of an object', 'text' as unknown as object],
    ['null instead of an object', null as unknown as object],
  ])('is refused: %s', (_, data) => {
    expect(() => of(noted(data))).toThrow(expect.objectContaining({ kind: 'invalid' }));
    expect(() => of({ ...noted({}), metadata: data })).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });

  it('is refused with an error that names the event type and the value', () =>
    expect(() => of(noted({ a: Number.NaN }))).toThrow(
      'The data of Noted cannot be written as JSON: NaN is not a number there.',
    ));
});

describe('Append', () => {
  it.each<[string, string, NewEvent[], ExpectedRevision]>([
    ['to a stream with an empty name', '', [noted({})], 'any'],
    ['to a system stream', '$s', [noted({})], 'any'],
    ['to a stream whose name holds half of a surrogate pair', 's-\ud800', [noted({})], 'any'],
    ['without events', 's', [], 'any'],
    ['with an empty event type', 's', [{ ...noted({}), type: '' }], 'any'],
    ['with an id that is not a UUID', 's', [{ ...noted({}), id: 'one' }], 'any'],
    ['with the zero UUID', 's', [{ ...noted({}), id: '00000000-0000-0000-0000-000000000000' }], 'any'],
    ['at a negative revision', 's', [noted({})], -1n],
    ['at a revision above 64 bits', 's', [noted({})], 2n ** 64n],
  ])('is refused %s', (_, stream, events, expected) =>
    expect(() => serializeEvents(stream, events, expected)).toThrow(expect.objectContaining({ kind: 'invalid' })),
  );

  it('has a size that counts the bytes of data and metadata once, and the length of each type twice', () =>
    expect(of(noted({ a: 'é' }, { b: 1 })).map(eventBytes)).toEqual([10 + 7 + 2 * 5]));

  it('contains at most 1 MiB in all its events together', () => {
    const half = noted({ text: 'x'.repeat(APPEND_BYTES_MAX / 2 - '{"text":""}'.length - 2 * 'Noted'.length) });
    const more = noted({ ...half.data, text: `${(half.data as { text: string }).text}x` });
    expect(of(half, half).reduce((sum, event) => sum + eventBytes(event), 0)).toBe(APPEND_BYTES_MAX);
    expect(() => of(half, more)).toThrow(expect.objectContaining({ kind: 'too-large' }));
  });
});
