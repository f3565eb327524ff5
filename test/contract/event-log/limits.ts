import { APPEND_BYTES_MAX, type NewEvent } from '@charter/event-log';
import { all, failureOf, noted, type UnderTest } from './under-test';

export function limits(given: UnderTest): void {
  const readBack = async (event: NewEvent) => {
    const stream = given.stream();
    await given.append(stream, 'no_stream', [event]);
    return (await all(given.log.readStream(stream)))[0]!;
  };

  describe('12: Content is read as it was written', () => {
    it.each<[string, object]>([
      ['an empty object', {}],
      ['Unicode of every width', { text: 'aé€😀 \u0000\u2028"\\', 'clé 😀': 1 }],
      ['null at several depths', { none: null, deep: { list: [null, { none: null }] } }],
      ['empty texts, lists and objects', { text: '', list: [], object: {}, '': 0 }],
      ['a key called __proto__', JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object],
      ['numbers', { numbers: [0, -1, 0.1, 1e300, 5e-324, Number.MAX_SAFE_INTEGER] }],
      ['large numbers as texts', { amount: '9007199254740993' }],
      ['true and false', { yes: true, no: false }],
    ])('%s, as data and as metadata', async (_, content) => {
      const { data, metadata } = await readBack({ ...noted(''), data: content, metadata: content });
      expect(JSON.stringify([data, metadata])).toBe(JSON.stringify([content, content]));
    });

    it('metadata may be absent, empty or present', async () => {
      expect('metadata' in (await readBack(noted('absent')))).toBe(false);
      expect((await readBack({ ...noted('empty'), metadata: {} })).metadata).toEqual({});
      expect((await readBack({ ...noted('there'), metadata: { by: 'ada' } })).metadata).toEqual({ by: 'ada' });
    });

    it('ids are returned in lower case; types and stream names are returned unchanged', async () => {
      const event = { ...noted('x', 'ABCDEF00-0000-4000-8000-00000000000F'), type: 'Nöted%_' };
      const stream = `${given.stream()}-é%_😀`;
      await given.append(stream, 'no_stream', [event]);
      expect((await all(given.log.readStream(stream)))[0]).toMatchObject({
        id: 'abcdef00-0000-4000-8000-00000000000f',
        type: 'Nöted%_',
        stream,
      });
    });

    it.each<[string, unknown]>([
      ['a BigInt', 1n],
      ['undefined', undefined],
      ['NaN', Number.NaN],
      ['Infinity', Infinity],
      ['a function', () => 1],
      ['half of a surrogate pair', '\udead'],
      ['a date', new Date(0)],
    ])('%s is refused, and nothing is written', async (_, value) => {
      const stream = given.stream();
      const bad = { ...noted('bad'), data: { value } };
      expect(await failureOf(given.append(stream, 'any', [noted('good'), bad]))).toMatchObject({ kind: 'invalid' });
      expect(await failureOf(given.ids(stream))).toMatchObject({ kind: 'not-found' });
    });

    it('an object that contains itself is refused', async () => {
      const cycle: Record<string, unknown> = {};
      cycle['self'] = cycle;
      expect(await failureOf(given.append(given.stream(), 'any', [{ ...noted(''), data: cycle }]))).toMatchObject({
        kind: 'invalid',
      });
    });
  });

  describe('13: Limits', () => {
    it.each<[string, string, NewEvent]>([
      ['an empty stream name', '', noted('')],
      ['a stream of the system', '$charter', noted('')],
      ['an empty type', 'contract', { ...noted(''), type: '' }],
      ['an id that is no UUID', 'contract', noted('', 'one')],
      ['the zero UUID', 'contract', noted('', '00000000-0000-0000-0000-000000000000')],
    ])('%s is refused', async (_, stream, event) =>
      expect(await failureOf(given.append(stream, 'any', [event]))).toMatchObject({ kind: 'invalid' }),
    );

    it.each([-1n, 2n ** 64n])('the expected revision %p is refused', async (expected) =>
      expect(await failureOf(given.append(given.stream(), expected, [noted('')]))).toMatchObject({ kind: 'invalid' }),
    );

    it('an append of 1 MiB is written, in one event or in several', async () => {
      const [stream, streams] = [given.stream(), given.stream()];
      await given.append(stream, 'no_stream', [weighing(APPEND_BYTES_MAX)]);
      await given.append(streams, 'no_stream', [weighing(APPEND_BYTES_MAX / 2), weighing(APPEND_BYTES_MAX / 2)]);
      const [event] = await all(given.log.readStream(stream));
      expect(JSON.stringify(event!.data)).toHaveLength(APPEND_BYTES_MAX - 2 * 'Noted'.length - '{"by":"ada"}'.length);
      expect(await given.ids(streams)).toHaveLength(2);
    });

    it('an append of one byte more is refused as too large, and nothing is written', async () => {
      const stream = given.stream();
      for (const events of [
        [weighing(APPEND_BYTES_MAX + 1)],
        [weighing(APPEND_BYTES_MAX / 2), weighing(APPEND_BYTES_MAX / 2 + 1)],
      ]) {
        expect(await failureOf(given.append(stream, 'any', events))).toMatchObject({ kind: 'too-large' });
      }
      expect(await failureOf(given.ids(stream))).toMatchObject({ kind: 'not-found' });
    });

    it('count bytes, not characters', async () => {
      const event = { ...noted(''), data: { text: 'é'.repeat(APPEND_BYTES_MAX / 2) } };
      expect(await failureOf(given.append(given.stream(), 'any', [event]))).toMatchObject({ kind: 'too-large' });
    });
  });

  describe('14: History is final', () => {
    it('no method of the port has a name with delete, tombstone, truncate, update or link', () => {
      const names = new Set<string>();
      for (let part: object | null = given.log; part; part = Object.getPrototypeOf(part) as object | null) {
        for (const name of Object.getOwnPropertyNames(part)) names.add(name);
      }
      expect([...names].filter((name) => /delete|tombstone|truncate|metadata|update|link/i.test(name))).toEqual([]);
    });
  });
}

/** An event that has exactly this size in bytes for the log, which counts the type twice. */
function weighing(bytes: number): NewEvent {
  const rest = '{"text":""}'.length + '{"by":"ada"}'.length + 2 * 'Noted'.length;
  return { ...noted(''), data: { text: 'x'.repeat(bytes - rest) }, metadata: { by: 'ada' } };
}
