import { type Moment, momentAt } from '@charter/decider';
import type { Schema, Tables } from '../schema/schema';
import { unlessErased } from '../people/unless-erased';

/**
 * `waiting`: the next attempt is at `next`. `sent`: a mail server has accepted the mail. `failed`: Charter makes no
 * more attempts, unless an operator retries the mail.
 */
export const mailStates = ['waiting', 'sent', 'failed'] as const;
type MailState = (typeof mailStates)[number];

/**
 * A mail in the outbox. Charter does not store the text of the mail. When Charter sends the mail, it writes the text
 * from the fields of the stored mail. Names, links and tokens are in `sealed`, which only the session secret decrypts.
 * Charter deletes `sealed` once the mail is sent.
 */
export type Mail = Readonly<{
  id: string;
  /** The type of the mail, for example `reset`. */
  kind: string;
  /** The account that the mail is about. The erasure of the account deletes the mail. */
  account: string | null;
  /** The email address of the recipient. */
  to: string;
  /** The language of the mail: a BCP 47 tag. */
  language: string;
  sealed: string | null;
  made: Moment;
  state: MailState;
  /** The number of attempts to send the mail. */
  attempts: number;
  /** The time of the next attempt, while the mail is waiting. */
  next: Moment;
  /** Why the last attempt failed: a code without any address. */
  error: string | null;
  /** The moment after which Charter makes no attempt, because the link has expired or the content is out of date. */
  expires: Moment;
  /** When the mail was sent, or when its state became `failed`. */
  settled: Moment | null;
}>;

export type NewMail = Pick<Mail, 'id' | 'kind' | 'account' | 'to' | 'language' | 'sealed' | 'expires'>;

/** The mails that Charter has to send, and the outcomes of the attempts. */
export type OutboxStore = Readonly<{
  enqueue(mail: NewMail, now: number): Promise<void>;
  /** The mails whose next attempt is due. The mail that has waited longest comes first. */
  due(now: number, limit: number): Promise<readonly Mail[]>;
  /**
   * Counts an attempt before the process makes the attempt, and postpones the next attempt, so that no other process
   * sends the mail meanwhile. Returns false if another process has taken the attempt. If a process crashes after it has
   * sent a mail, another process may send the mail a second time.
   */
  take(mail: Pick<Mail, 'id' | 'next'>, until: number): Promise<boolean>;
  sent(id: string, now: number): Promise<void>;
  /** Records that the attempt failed; the next attempt is at `next`, or never. */
  failed(id: string, why: Readonly<{ error: string; next: number | 'never' }>, now: number): Promise<void>;
  /**
   * Puts a failed mail back into the queue, and sets its number of attempts to zero. Returns false if no failed mail
   * has this id.
   */
  retry(id: string, expires: Moment, now: number): Promise<boolean>;
  find(id: string): Promise<Mail | undefined>;
  /** Lists mails, newest first. */
  list(query: {
    state?: MailState | undefined;
    before?: Readonly<{ made: Moment; id: string }> | undefined;
    limit: number;
  }): Promise<readonly Mail[]>;
  waiting(): Promise<number>;
  /** Deletes mails that were made before a moment, in any state; returns their number. */
  sweep(madeBefore: number): Promise<number>;
}>;

/**
 * The query for due mails. The first attempt is due at once: the clock may have been set back after the mail was made,
 * and `next` would then delay the first attempt. New mails and retries have separate subqueries: no index covers the
 * condition `attempts = 0 or next <= now`, so one query would read all postponed mails.
 */
export function dueMails(tables: Tables, now: number, limit: number) {
  const waiting = tables.selectFrom('mails').select('id').where('state', '=', 'waiting');
  const oldestFirst = waiting.orderBy('next').orderBy('id').limit(limit);
  const neverAttempted = tables.selectFrom(oldestFirst.where('attempts', '=', 0).as('never_attempted')).select('id');
  const dueByTime = tables.selectFrom(oldestFirst.where('next', '<=', momentAt(now)).as('due_by_time')).select('id');
  const due = tables.selectFrom('mails').selectAll().where('id', 'in', neverAttempted.union(dueByTime));
  return due.orderBy('next').orderBy('id').limit(limit);
}

/** Selects mails after a cursor, newest first. */
export function listedMails(tables: Tables, { state, before, limit }: Parameters<OutboxStore['list']>[0]) {
  const newest = tables.selectFrom('mails').selectAll().orderBy('made', 'desc').orderBy('id', 'desc').limit(limit);
  const wanted = state === undefined ? newest : newest.where('state', '=', state);
  if (before === undefined) return wanted;
  return wanted.where(({ eb, refTuple, tuple }) => eb(refTuple('made', 'id'), '<', tuple(before.made, before.id)));
}

export function outboxStoreIn(tables: Tables): OutboxStore {
  return {
    find: async (id) => {
      const row = await tables.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst();
      return row && mailOf(row);
    },
    enqueue: async ({ to, ...mail }, now) => {
      const waiting = { state: 'waiting', attempts: 0, error: null, settled: null } as const;
      const [made, next] = [momentAt(now), momentAt(now)];
      const row = { ...mail, ...waiting, address: to, made, next };
      const insert = (within: Tables) => within.insertInto('mails').values(row).execute();
      await (mail.account === null ? insert(tables) : unlessErased(tables, mail.account, insert));
    },
    due: async (now, limit) => (await dueMails(tables, now, limit).execute()).map(mailOf),
    take: async ({ id, next }, until) => {
      const { numUpdatedRows } = await tables
        .updateTable('mails')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), next: momentAt(until) }))
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .where('next', '=', next)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    sent: async (id, now) => {
      const sent = { state: 'sent', sealed: null, error: null, settled: momentAt(now) } as const;
      await tables.updateTable('mails').set(sent).where('id', '=', id).execute();
    },
    failed: async (id, { error, next }, now) => {
      const failed =
        next === 'never'
          ? ({ state: 'failed', error, settled: momentAt(now) } as const)
          : { error, next: momentAt(next) };
      // Another process may have sent the mail during a long attempt of this process.
      await tables.updateTable('mails').set(failed).where('id', '=', id).where('state', '=', 'waiting').execute();
    },
    retry: async (id, expires, now) => {
      const again = { state: 'waiting', attempts: 0, next: momentAt(now), expires, settled: null } as const;
      const query = tables.updateTable('mails').set(again).where('id', '=', id).where('state', '=', 'failed');
      const { numUpdatedRows } = await query.executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    list: async (query) => (await listedMails(tables, query).execute()).map(mailOf),
    waiting: async () => {
      const { count } = await tables
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    sweep: async (madeBefore) => {
      const { numDeletedRows } = await tables
        .deleteFrom('mails')
        .where('made', '<', momentAt(madeBefore))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

const mailOf = ({ address, ...row }: Schema['mails']): Mail => ({ ...row, to: address });
