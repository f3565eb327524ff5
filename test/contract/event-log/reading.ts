import {
  type EventToFold,
  positionOf,
  type StoredEvent,
  type ReadStreamOptions,
  pagesWithTexts,
} from '@charter/event-log';
import { all, failureOf, family, noted, several, textOf, type UnderTest, where } from './under-test';

export function reading(given: UnderTest): void {
  describe('8: Reading a stream', () => {
    let stream: string;
    beforeAll(async () => {
      stream = given.stream();
      await given.append(stream, 'no_stream', several(5));
    });

    it.each<[ReadStreamOptions, number[]]>([
      [{}, [0, 1, 2, 3, 4]],
      [{ from: 'start' }, [0, 1, 2, 3, 4]],
      [{ from: 2n }, [2, 3, 4]],
      [{ from: 4n }, [4]],
      [{ from: 5n }, []],
      [{ from: 2n ** 63n }, []],
      [{ from: 2n ** 64n - 1n }, []],
      [{ from: 'end' }, []],
      [{ maxCount: 2 }, [0, 1]],
      [{ from: 3n, maxCount: 9 }, [3, 4]],
      [{ direction: 'backwards' }, [4, 3, 2, 1, 0]],
      [{ direction: 'backwards', from: 'end', maxCount: 1 }, [4]],
      [{ direction: 'backwards', from: 2n }, [2, 1, 0]],
      [{ direction: 'backwards', from: 0n }, [0]],
      [{ direction: 'backwards', from: 'start' }, [0]],
      [{ direction: 'backwards', from: 99n, maxCount: 2 }, [4, 3]],
      [{ maxCount: 0 }, []],
      [{ maxCount: 0, direction: 'backwards' }, []],
    ])('of five events returns the selected events: %p', async (options, revisions) =>
      expect((await all(given.log.readStream(stream, options))).map(({ revision }) => Number(revision))).toEqual(
        revisions,
      ),
    );

    it.each([-1n, 2n ** 64n])('from %p is refused on the first step of the iteration', async (from) => {
      const events = given.log.readStream(stream, { from });
      expect(await failureOf(all(events))).toMatchObject({ kind: 'invalid' });
    });

    it('returns every field of each event', async () => {
      const [event] = await all(given.log.readStream(stream, { maxCount: 1 }));
      expect(event).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'Noted',
        stream,
        revision: 0n,
        position: expect.stringMatching(/^\d{20}$/),
        data: { text: 0 },
        created: expect.any(Date),
      });
      expect(Math.abs(event!.created.getTime() - Date.now())).toBeLessThan(600_000);
    });

    it('that never existed fails on the first step of the iteration, not at the call', async () => {
      const events = given.log.readStream(given.stream());
      expect(await failureOf(all(events))).toMatchObject({ kind: 'not-found' });
      expect(await all(given.log.readStream(given.stream(), { maxCount: 0 }))).toEqual([]);
    });

    it.each(['forwards', 'backwards'] as const)(
      'that never existed returns no events if `absent` is `empty`, %s',
      async (direction) => {
        expect(await all(given.log.readStream(given.stream(), { direction, absent: 'empty' }))).toEqual([]);
        expect(await all(given.log.readStream(stream, { direction, absent: 'empty' }))).toHaveLength(5);
      },
    );

    it.each<ReadStreamOptions>([{}, { from: 3n, direction: 'backwards' }, { maxCount: 2 }, { from: 9n }])(
      'with texts returns the same events and their JSON, if the log offers texts: %p',
      async (options) => {
        const pages = given.log.readStreamWithTexts?.(stream, options);
        if (!pages) return;
        const items = (await all(pages)).flat();
        expect(items.map(({ event }) => event)).toEqual(await all(given.log.readStream(stream, options)));
        for (const { event, texts } of items)
          expect(texts && JSON.parse(texts.data)).toEqual(event.metadata === undefined ? undefined : event.data);
      },
    );

    it('with texts returns the data and metadata of an event that has metadata', async () => {
      const named = given.stream();
      await given.append(named, 'no_stream', [{ ...noted('é'), metadata: { by: 'a\nb' } }]);
      const [item] = (await all(pagesWithTexts(given.log, named, {}))).flat();
      expect(item?.event).toMatchObject({ data: { text: 'é' }, metadata: { by: 'a\nb' } });
      if (given.log.readStreamWithTexts)
        expect(item?.texts).toEqual({ data: '{"text":"é"}', metadata: '{"by":"a\\nb"}' });
    });

    it('returns no event of another stream whose name begins with the name of this stream', async () => {
      await given.append(`${stream}x`, 'no_stream', [noted('other')]);
      expect(await all(given.log.readStream(stream))).toHaveLength(5);
    });

    it('may stop early 120 times, and the next read still works', async () => {
      for (let time = 0; time < 120; time++) {
        for await (const event of given.log.readStream(stream)) if (event.revision === 1n) break;
      }
      expect(await given.ids(stream)).toHaveLength(5);
    });
  });

  describe('8: Reading all streams', () => {
    const prefix = family();
    let events: StoredEvent[];
    const texts = async (options: object) =>
      (await all(given.log.readAll({ streamPrefixes: [prefix], ...options }))).map(textOf);

    beforeAll(async () => {
      const streams = [given.stream(prefix), given.stream(prefix)];
      for (let text = 0; text < 6; text++) await given.append(streams[text % 2]!, 'any', [noted(text)]);
      events = await all(given.log.readAll({ streamPrefixes: [prefix] }));
    });
    const at = (index: number) => events[index]!.position;

    it('goes forwards through all events', async () => {
      expect(await texts({})).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await texts({ from: 'start', maxCount: 2 })).toEqual([0, 1]);
    });

    it('forwards from a position begins with the event at that position', async () => {
      expect(await texts({ from: at(2) })).toEqual([2, 3, 4, 5]);
      expect(await texts({ from: at(2), maxCount: 2 })).toEqual([2, 3]);
    });

    it('backwards from a position begins with the event before that position', async () => {
      expect(await texts({ from: at(3), direction: 'backwards' })).toEqual([2, 1, 0]);
      expect(await texts({ from: at(3), direction: 'backwards', maxCount: 1 })).toEqual([2]);
    });

    it('backwards from the end begins with the last event', async () => {
      expect(await texts({ direction: 'backwards', from: 'end', maxCount: 3 })).toEqual([5, 4, 3]);
      expect(await texts({ direction: 'backwards' })).toEqual([5, 4, 3, 2, 1, 0]);
      expect(await texts({ direction: 'backwards', from: 'start' })).toEqual([]);
    });

    it('from a position beyond the end returns nothing forwards, and begins with the last event backwards', async () => {
      const beyond = positionOf(2n ** 63n - 1n);
      expect(await texts({ from: beyond })).toEqual([]);
      expect(await texts({ from: 'end' })).toEqual([]);
      expect(await texts({ from: beyond, direction: 'backwards', maxCount: 1 })).toEqual([5]);
    });

    it('with `maxCount` 0 returns nothing', async () => expect(await texts({ maxCount: 0 })).toEqual([]));

    it.each(['-0000000000000000001', '1', '', '99999999999999999999', 'x'.repeat(20)])(
      'from %p is refused on the first step of the iteration',
      async (from) => expect(await failureOf(all(given.log.readAll({ from })))).toMatchObject({ kind: 'invalid' }),
    );

    it.each([-1, 0.5, Number.NaN])(
      'with `maxCount` %p is refused on the first step of the iteration',
      async (maxCount) =>
        expect(await failureOf(all(given.log.readAll({ maxCount })))).toMatchObject({ kind: 'invalid' }),
    );

    where(given.can.sparse)('from a position where no event begins is refused', async () => {
      const between = positionOf(BigInt(at(2)) + 1n);
      expect(await failureOf(all(given.log.readAll({ from: between })))).toMatchObject({ kind: 'invalid-position' });
    });

    it('in batches returns the same events with the fields that a fold needs, if the log offers batches', async () => {
      const batches = given.log.batches?.({ streamPrefixes: [prefix] }) ?? [events];
      const found: EventToFold[] = [];
      for await (const batch of batches) found.push(...batch);
      expect(found.map(foldedFields)).toEqual(events.map(foldedFields));
    });
  });

  describe('9: Reading by the prefixes of stream names', () => {
    it('from a position finds the matching events among many other events', async () => {
      const [wanted, also, unwanted] = [family(), family(), family()];
      for (const prefix of [wanted, unwanted, also])
        await given.append(given.stream(prefix), 'no_stream', several(700));
      const { position } = await given.append(given.stream(wanted), 'no_stream', [noted('late')]);
      const read = async (options: object) => (await all(given.log.readAll(options))).map(textOf);

      expect(await read({ streamPrefixes: [wanted, also] })).toHaveLength(1401);
      expect(await read({ streamPrefixes: [wanted], from: position })).toEqual(['late']);
      expect(await read({ streamPrefixes: [wanted, also], direction: 'backwards', maxCount: 2 })).toEqual([
        'late',
        699,
      ]);
      expect(await read({ streamPrefixes: [family()] })).toEqual([]);
    });

    it('treats no character of a prefix as a wildcard', async () => {
      const prefix = `${family()}-%_*?[a]é`;
      await given.append(given.stream(prefix), 'no_stream', [noted('literal')]);
      await given.append(given.stream(prefix.replace('%', 'x')), 'no_stream', [noted('other')]);
      expect((await all(given.log.readAll({ streamPrefixes: [prefix] }))).map(textOf)).toEqual(['literal']);
    });

    it('without prefixes reads all streams', async () => {
      const { position } = await given.append(given.stream(), 'no_stream', [noted('mine')]);
      const found = await all(given.log.readAll({ streamPrefixes: [], from: position, maxCount: 1 }));
      expect(found.map(textOf)).toEqual(['mine']);
    });

    it('never returns system events: events whose type or stream name begins with $', async () => {
      const prefix = family();
      const stream = given.stream(prefix);
      await given.append(stream, 'no_stream', [noted(0), { ...noted(1), type: '$secret' }, noted(2)]);
      expect((await all(given.log.readAll({ streamPrefixes: [prefix] }))).map(textOf)).toEqual([0, 2]);
      expect((await all(given.log.readStream(stream))).map(textOf)).toEqual([0, 2]);
      for await (const { stream: name, type } of given.log.readAll({ maxCount: 1000 })) {
        expect([name[0], type[0]]).not.toContain('$');
      }
    });
  });
}

const foldedFields = ({ stream, type, revision, position, data, metadata }: EventToFold) => ({
  ...{ stream, type, revision, position, data, metadata },
});
