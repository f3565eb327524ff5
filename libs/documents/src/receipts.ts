import type { Schema, Tables, Within } from './schema';
import { transact } from './transact';
import { together } from './together';

/** An answer over HTTP, as it was given the first time. */
export type Answer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

export type Claim =
  /** Nobody has used this key: go on, and answer or withdraw. */
  | Readonly<{ kind: 'new' }>
  /** The same request is under way, or its process has died: running it again is safe. */
  | Readonly<{ kind: 'unanswered'; claimed: string }>
  | Readonly<{ kind: 'answered'; answer: Answer }>
  /** The key was used for something else. */
  | Readonly<{ kind: 'other-body' }>;

/** Which request was answered how, by idempotency key, for ever. Keys are hashes that the caller makes. */
export type Receipts = Readonly<{
  /** Takes the key before the request runs. The claim is on disk when this resolves. */
  claim(key: string, bodyHash: string): Promise<Claim>;
  /** The first answer counts; a later one changes nothing. */
  answer(key: string, answer: Answer): Promise<void>;
  /** Gives the key back: the request was refused in a way that must not burn it. What was answered stays. */
  withdraw(key: string): Promise<void>;
}>;

export function receiptsIn(tables: Tables, now: () => number = Date.now): Receipts {
  const claim = together(
    (asked: readonly Asked[]) => transact(tables, (within) => claimAll(within, asked, moment(now()))),
    TOGETHER_MAX,
  );
  const change = together(
    (changes: readonly Change[]) => transact(tables, (within) => changeAll(within, changes, moment(now()))),
    TOGETHER_MAX,
  );
  return {
    claim: (key, bodyHash) => claim({ key, bodyHash }),
    answer: async (key, answer) => {
      await change({ key, answer });
    },
    withdraw: async (key) => {
      await change({ key });
    },
  };
}

type Asked = Readonly<{ key: string; bodyHash: string }>;
type Change = Readonly<{ key: string; answer?: Answer }>;

async function claimAll(within: Within, asked: readonly Asked[], claimed: string): Promise<Claim[]> {
  const first = new Map<string, Asked>();
  for (const each of asked) if (!first.has(each.key)) first.set(each.key, each);
  const unanswered = { claimed, status: null, headers: null, body: null, answered: null };
  const taken = await within
    .insertInto('receipts')
    .values([...first.values()].map(({ key, bodyHash }) => ({ key, body_hash: bodyHash, ...unanswered })))
    .onConflict((same) => same.column('key').doNothing())
    .returning('key')
    .execute();

  const fresh = new Set(taken.map(({ key }) => key));
  const known = await receiptsOf(within, [...first.keys()]);
  return asked.map((each) =>
    first.get(each.key) === each && fresh.has(each.key) ? { kind: 'new' } : judge(known.get(each.key)!, each.bodyHash),
  );
}

async function receiptsOf(within: Within, keys: readonly string[]) {
  const rows = await within.selectFrom('receipts').selectAll().where('key', 'in', keys).execute();
  return new Map(rows.map((row) => [row.key, row]));
}

function judge({ body_hash, claimed, status, headers, body }: Schema['receipts'], bodyHash: string): Claim {
  if (body_hash !== bodyHash) return { kind: 'other-body' };
  if (status === null || headers === null || body === null) return { kind: 'unanswered', claimed };
  return { kind: 'answered', answer: { status, headers: JSON.parse(headers) as Answer['headers'], body } };
}

async function changeAll(within: Within, changes: readonly Change[], answered: string): Promise<true[]> {
  for (const { key, answer } of changes) {
    if (answer) {
      const { status, headers, body } = answer;
      const kept = { status, headers: JSON.stringify(headers), body, answered };
      await within.updateTable('receipts').set(kept).where('key', '=', key).where('status', 'is', null).execute();
    } else await within.deleteFrom('receipts').where('key', '=', key).where('status', 'is', null).execute();
  }
  return changes.map(() => true);
}

const moment = (at: number) => new Date(at).toISOString();

/** Callers in one transaction. */
const TOGETHER_MAX = 128;
