import { Conflict, type EventLog, isLogError, LogError } from '@charter/event-log';
import { all, failureOf, family, noted, several, textOf, type UnderTest, where } from './under-test';

export function failing(given: UnderTest): void {
  describe('15: Failures', () => {
    it('have the class `LogError`, and are distinguished by their field `kind`', async () => {
      const missing = await failureOf(given.ids(given.stream()));
      expect(missing).toBeInstanceOf(LogError);
      expect([isLogError(missing), isLogError(missing, 'not-found'), isLogError(missing, 'conflict')]).toEqual([
        true,
        true,
        false,
      ]);
      const conflict = await failureOf(given.append(given.stream(), 1n, [noted('')]));
      expect(conflict instanceof Conflict && isLogError(conflict, 'conflict')).toBe(true);
    });

    it('of one append do not affect concurrent appends', async () => {
      const streams = [given.stream(), given.stream(), given.stream()] as const;
      const answers = await Promise.allSettled([
        given.append(streams[0], 'no_stream', several(2)),
        given.append(streams[1], 7n, several(2)),
        given.append(streams[1], 'any', []),
        given.append(streams[2], 'no_stream', several(2)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
      expect(await given.ids(streams[2])).toHaveLength(2);
    });

    where(given.can.freeze)(
      'of a frozen store have the kind `unavailable`, and a retry writes the events once',
      async () => {
        const log = await given.open();
        const stream = given.stream();
        await log.append(stream, [noted('before')], { expected: 'no_stream' });
        const thaw = await given.can.freeze!(log);
        const events = several(3);
        const lost = await failureOf(log.append(stream, events, { expected: 0n, deadline: 300 }));
        expect(lost).toMatchObject({ kind: 'unavailable' });

        const retry = log.append(stream, events, { expected: 0n, deadline: 10_000 });
        await thaw();
        expect(await retry).toMatchObject({ revision: 3n });
        expect(await log.append(stream, events, { expected: 0n })).toMatchObject({ revision: 3n });
        expect((await all(log.readStream(stream))).map(textOf)).toEqual(['before', 0, 1, 2]);
        await log.close();
      },
    );
  });

  describe('16: Deadlines and closing', () => {
    where(given.can.freeze)('each append rejects when its own deadline is over', async () => {
      const log = await given.open();
      await log.append(given.stream(), [noted('before')], { expected: 'no_stream' });
      const thaw = await given.can.freeze!(log);
      const took = await Promise.all(
        [200, 900].map(async (deadline) => {
          const begun = performance.now();
          const lost = await failureOf(log.append(given.stream(), [noted('lost')], { expected: 'any', deadline }));
          expect(lost).toMatchObject({ kind: 'unavailable' });
          return performance.now() - begun;
        }),
      );
      expect(took[0]).toBeGreaterThanOrEqual(190);
      expect(took[0]).toBeLessThan(850);
      expect(took[1]).toBeLessThan(2500);
      await thaw();
      await log.close();
    });

    describe('After close()', () => {
      const stream = family();
      let log: EventLog;
      beforeAll(async () => {
        log = await given.open();
        await log.append(stream, several(2), { expected: 'no_stream' });
        await log.close();
      });

      it.each<[string, () => Promise<unknown>]>([
        ['append', () => log.append(stream, several(1), { expected: 'any' })],
        ['readStream', () => all(log.readStream(stream))],
        ['readAll', () => all(log.readAll())],
        ['subscribe', () => all(log.subscribe({ after: 'start', streamPrefixes: [stream] }))],
        ['head', () => log.head()],
        ['identity', () => log.identity()],
      ])('%s fails with the kind `closed`', async (_, call) =>
        expect(await failureOf(call())).toMatchObject({ kind: 'closed' }),
      );

      it('close() can be called again', async () => {
        await log.close();
        expect(await failureOf(log.head())).toMatchObject({ kind: 'closed' });
      });
    });

    it('close() ends waiting subscriptions, and subscriptions during a delivery', async () => {
      const log = await given.open();
      const stream = given.stream(family());
      await log.append(stream, several(2), { expected: 'no_stream' });
      const waiting = all(log.subscribe({ after: 'end', streamPrefixes: [stream] }));
      const atWork = log.subscribe({ after: 'start', streamPrefixes: [stream] })[Symbol.asyncIterator]();
      await atWork.next();
      await log.close();
      expect((await waiting).every(({ kind }) => kind !== 'event')).toBe(true);
      expect((await atWork.next()).done).toBe(true);
    });

    it('close() ends a read that has begun', async () => {
      const log = await given.open();
      const stream = given.stream();
      await log.append(stream, several(1200), { expected: 'no_stream' });
      const reading = log.readStream(stream)[Symbol.asyncIterator]();
      await reading.next();
      await log.close();
      let read = 1;
      const rest = async () => {
        for (let step = await reading.next(); !step.done; step = await reading.next()) read++;
      };
      await rest().catch((error: unknown) => expect(error).toMatchObject({ kind: 'closed' }));
      expect(read).toBeLessThan(1200);
    });

    it('close() settles every earlier append, with an answer or with an error', async () => {
      const log = await given.open();
      const answers = several(20).map((event) => log.append(given.stream(), [event], { expected: 'no_stream' }));
      await log.close();
      const settled = await Promise.allSettled(answers);
      const failures = settled.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
      for (const failure of failures)
        expect(failure).toMatchObject({ kind: expect.stringMatching(/closed|unavailable/) });
      expect(settled).toHaveLength(20);
    });
  });
}
