import fc from 'fast-check';
import type { Database } from '../database';
import { databases, type TestDatabase } from '../database.testing';

describe.each(databases)('Rate limit counters and installation marks in %s', (_database, make) => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await make();
    database = await testDatabase.open();
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.remove();
  });

  describe('Rate-limited attempts', () => {
    const now = Date.parse('2026-11-21T10:00:00.000Z');

    it('are allowed up to the limit, then refused until the window ends', async () => {
      const { count } = database.attempts;
      for (let n = 0; n < 3; n += 1)
        expect(await count('ada', 60, 3, now + n * 1000)).toMatchObject({ allowed: true, retryAfter: 0 });
      expect(await count('ada', 60, 3, now + 3_500)).toMatchObject({ allowed: false, retryAfter: 57 });
      expect(await count('ada', 60, 3, now + 59_999)).toMatchObject({ allowed: false, retryAfter: 1 });
      expect(await count('bob', 60, 3, now + 59_999)).toMatchObject({ allowed: true });
      expect(await count('ada', 60, 1, now + 60_000)).toMatchObject({ allowed: true });
      expect(await count('ada', 60, 1, now + 60_001)).toMatchObject({ allowed: false, retryAfter: 60 });
    });

    it('begin a new window after the clock was set back, but not if only the clocks of two processes differ', async () => {
      const { count } = database.attempts;
      const later = now + 3_600_000;
      await count('kim', 60, 1, later);
      expect(await count('kim', 60, 1, later - 30_000)).toMatchObject({ allowed: false, retryAfter: 90 });
      expect(await count('kim', 60, 1, now)).toMatchObject({ allowed: true });
      expect(await count('kim', 60, 1, now)).toMatchObject({ allowed: false, retryAfter: 60 });
    });

    it('do not exceed the limit when two processes count at the same time', async () => {
      const other = await testDatabase.open();
      await fc.assert(
        fc.asyncProperty(
          fc.uuid(),
          fc.integer({ min: 1, max: 12 }),
          fc.integer({ min: 1, max: 20 }),
          async (bucket, limit, tries) => {
            const counting = Array.from({ length: tries }, (_, n) =>
              (n % 2 ? other : database).attempts.count(bucket, 60, limit, now),
            );
            const results = await Promise.all(counting);
            expect(results.filter(({ allowed }) => allowed)).toHaveLength(Math.min(limit, tries));
          },
        ),
        { numRuns: 10 },
      );
      await other.close();
    });

    it('no longer count after their bucket is cleared', async () => {
      const { count, clear } = database.attempts;
      for (let n = 0; n < 5; n += 1) await count('dan', 60, 3, now);
      await count('eve', 60, 1, now);
      await clear('dan');
      await clear('unknown');
      expect(await count('dan', 60, 1, now)).toMatchObject({ allowed: true });
      expect(await count('eve', 60, 1, now)).toMatchObject({ allowed: false });
    });

    it('no longer count after the caller withdraws them, and are deleted after the end of their window', async () => {
      const { count, takeBack, sweep } = database.attempts;
      const { ends } = await count('cyd', 60, 1, now);
      await takeBack('cyd', ends);
      await takeBack('cyd', ends);
      expect(await count('cyd', 60, 1, now)).toMatchObject({ allowed: true });
      expect(await count('cyd', 60, 1, now)).toMatchObject({ allowed: false });
      expect(await sweep(now)).toBe(0);
      expect(await sweep(now + 3_600_000)).toBeGreaterThan(10);
      expect(await sweep(now + 3_600_000)).toBe(0);
      expect(await count('cyd', 60, 1, now)).toMatchObject({ allowed: true });
    });

    it('do not lower the count of a later window when the caller withdraws them', async () => {
      const { count, takeBack } = database.attempts;
      const earlier = await count('fay', 60, 2, now);
      for (let n = 0; n < 2; n += 1) expect(await count('fay', 60, 2, now + 60_000)).toMatchObject({ allowed: true });
      await takeBack('fay', earlier.ends);
      expect(await count('fay', 60, 2, now + 60_000)).toMatchObject({ allowed: false });
    });
  });

  describe('Marks', () => {
    it('contain the value that was set last', async () => {
      const { get, set } = database.marks;
      expect(await get('demo')).toBeUndefined();
      await set('demo', 'founding');
      await set('demo', 'on');
      expect(await get('demo')).toBe('on');
    });
  });
});
