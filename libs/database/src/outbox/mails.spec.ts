import { randomUUID } from 'node:crypto';
import { listedMails, type NewMail } from './mails';
import type { Database } from '../database';
import { databases, folder, type TestDatabase } from '../database.testing';
import { queryPlanOf } from '../schema/query-plan.testing';
import { openTables } from '../sqlite/open-tables';

describe.each(databases)('Mails in %s', (_database, make) => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await make();
    database = await place.open();
  });
  afterEach(async () => {
    await database.mails.sweep(now + 1e6);
  });
  afterAll(async () => {
    await database.close();
    await place.remove();
  });

  const now = Date.parse('2026-11-21T10:00:00.000Z');
  const mail = (change: Partial<NewMail> = {}): NewMail => ({
    id: randomUUID(),
    kind: 'reset',
    account: randomUUID(),
    to: 'ada@example.com',
    language: 'en',
    sealed: 'sealed',
    expires: '2026-11-21T11:00:00.000Z',
    ...change,
  });

  describe('Outbox', () => {
    it('returns only mails whose next attempt is due; the mail that has waited longest comes first', async () => {
      const [late, early, future] = [mail(), mail(), mail()];
      await database.mails.enqueue(future, now - 2_000);
      expect(await database.mails.take((await database.mails.due(now, 1))[0]!, now + 1)).toBe(true);
      await database.mails.enqueue(late, now);
      await database.mails.enqueue(early, now - 1_000);
      const due = await database.mails.due(now, 10);
      expect(due.map(({ id }) => id)).toEqual([early.id, late.id]);
      expect(due[0]).toEqual({
        ...early,
        made: '2026-11-21T09:59:59.000Z',
        state: 'waiting',
        attempts: 0,
        next: '2026-11-21T09:59:59.000Z',
        error: null,
        settled: null,
      });
      expect(await database.mails.due(now, 1)).toHaveLength(1);
      expect(await database.mails.waiting()).toBe(3);
    });

    it('returns a new mail at once if the clock was set back after the mail was made', async () => {
      const made = mail();
      await database.mails.enqueue(made, now + 900_000);
      const [due] = await database.mails.due(now, 10);
      expect(due?.id).toBe(made.id);
      expect(await database.mails.take(due!, now + 60_000)).toBe(true);
      expect(await database.mails.due(now, 10)).toEqual([]);
    });

    it('gives each attempt to only one caller, even if the callers are in two processes', async () => {
      const other = await place.open();
      await database.mails.enqueue(mail(), now);
      const [found] = await database.mails.due(now, 1);
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 ? other : database).mails.take(found!, now + 60_000)),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await other.mails.due(now + 59_999, 10)).toEqual([]);
      // The process that took the mail has crashed.
      expect(await other.mails.due(now + 60_000, 10)).toMatchObject([{ attempts: 1 }]);
      await other.close();
    });

    it('deletes the content of a mail after the mail is sent, and keeps the content while a retry is possible', async () => {
      const [good, bad] = [mail(), mail()];
      for (const each of [good, bad]) await database.mails.enqueue(each, now);
      for (const due of await database.mails.due(now, 2)) await database.mails.take(due, now + 60_000);
      await database.mails.sent(good.id, now + 1_000);
      await database.mails.failed(bad.id, { error: 'ECONNECTION', next: now + 5_000 }, now);
      expect(await database.mails.find(good.id)).toMatchObject({
        state: 'sent',
        sealed: null,
        settled: '2026-11-21T10:00:01.000Z',
      });
      expect(await database.mails.find(bad.id)).toMatchObject({
        state: 'waiting',
        sealed: 'sealed',
        error: 'ECONNECTION',
      });
      expect(await database.mails.due(now + 4_999, 10)).toEqual([]);
      expect(await database.mails.due(now + 5_000, 10)).toHaveLength(1);
    });

    it('returns a failed mail again only after an operator has requested a retry, and accepts only one such request', async () => {
      const failed = mail();
      await database.mails.enqueue(failed, now);
      await database.mails.failed(failed.id, { error: 'EENVELOPE 550', next: 'never' }, now);
      expect(await database.mails.due(now + 1e9, 10)).toEqual([]);
      expect(await database.mails.waiting()).toBe(0);
      const expires = '2026-11-22T10:00:00.000Z';
      expect(await database.mails.retry(failed.id, expires, now + 10)).toBe(true);
      expect(await database.mails.retry(failed.id, expires, now + 10)).toBe(false);
      expect(await database.mails.due(now + 10, 10)).toMatchObject([{ state: 'waiting', attempts: 0, expires }]);
      expect(await database.mails.retry(randomUUID(), expires, now)).toBe(false);
    });

    it('keeps the state `sent` after another process has sent the mail, even if the attempt of this process fails', async () => {
      const made = mail();
      await database.mails.enqueue(made, now);
      await database.mails.sent(made.id, now);
      await database.mails.failed(made.id, { error: 'EENVELOPE 550', next: 'never' }, now + 1_000);
      expect(await database.mails.find(made.id)).toMatchObject({ state: 'sent', error: null });
    });

    it('lists mails by state, newest first, in pages', async () => {
      const all = [1, 2, 3, 4, 5].map(() => mail());
      for (const [index, each] of all.entries()) await database.mails.enqueue(each, now + Math.floor(index / 2));
      await database.mails.failed(all[0]!.id, { error: 'x', next: 'never' }, now);
      const first = await database.mails.list({ limit: 2 });
      const rest = await database.mails.list({ before: first.at(-1), limit: 10 });
      const ids = [...first, ...rest].map(({ id }) => id);
      expect(ids[0]).toBe(all[4]!.id);
      expect([...ids].sort()).toEqual(all.map(({ id }) => id).sort());
      expect((await database.mails.list({ state: 'failed', limit: 10 })).map(({ id }) => id)).toEqual([all[0]!.id]);
    });

    it('deletes all mails that were made before a moment, whatever their state', async () => {
      const [sent, waiting, young] = [mail(), mail(), mail()];
      for (const each of [sent, waiting]) await database.mails.enqueue(each, now);
      await database.mails.enqueue(young, now + 1);
      await database.mails.sent(sent.id, now + 10);
      expect(await database.mails.sweep(now + 1)).toBe(2);
      expect((await database.mails.list({ limit: 10 })).map(({ id }) => id)).toEqual([young.id]);
    });
  });
});

it('The list of mails reads only the rows of its page', async () => {
  const { file, remove } = folder();
  const { tables, close } = await openTables(file());
  const before = { made: '2026-11-21T10:00:00.000Z', id: randomUUID() };
  const pages = [{ limit: 10 }, { before, limit: 10 }].flatMap((page) => [page, { ...page, state: 'failed' as const }]);
  const read = await Promise.all(
    pages.map((query) => queryPlanOf(tables, 'explain query plan', listedMails(tables, query))),
  );
  await close();
  remove();
  expect(read).toEqual([
    ['SCAN mails USING INDEX mails_made'],
    ['SEARCH mails USING INDEX mails_listed (state=?)'],
    ['SEARCH mails USING INDEX mails_made ((made,id)<(?,?))'],
    ['SEARCH mails USING INDEX mails_listed (state=? AND (made,id)<(?,?))'],
  ]);
});
