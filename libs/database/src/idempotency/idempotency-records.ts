import { momentAt } from '@charter/decider';
import type { RawBuilder } from 'kysely';
import { isOnServer } from '../dialect';
import { changeInBatch } from '../postgres/idempotency-records';
import { databaseMoment } from '../database-clock';
import type { Schema, Tables, DatabaseTransaction } from '../schema/schema';
import { transact } from '../transactions/transact';
import { batchWrites } from '../transactions/write-batching';
import type { RecordedAnswer, IdempotencyChange } from './recorded-answer';

type IdempotencyClaim =
  /** The key is new. The request runs, and then stores its answer or withdraws. */
  | Readonly<{ kind: 'new' }>
  /**
   * The same request has been running for this many milliseconds, or its process has crashed: running it again is safe.
   * Infinity: no process is running it.
   */
  | Readonly<{ kind: 'unanswered'; since: number }>
  | Readonly<{ kind: 'answered'; answer: RecordedAnswer }>
  /** The key was used for another request. */
  | Readonly<{ kind: 'other-body' }>;

/** Stores the answer to each request by idempotency key, for ever. Keys are hashes that the caller computes. */
export type IdempotencyRecords = Readonly<{
  /** Takes the key before the request runs. The claim is on disk when this resolves. */
  claim(key: string, bodyHash: string): Promise<IdempotencyClaim>;
  /** Stores the first answer. A later answer changes nothing and returns false. */
  answer(key: string, answer: RecordedAnswer): Promise<boolean>;
  /** Records that the request failed with an unknown outcome, so that a repeated request does not wait for it. */
  letGo(key: string): Promise<void>;
  /** Frees the key, because the refusal must not use it up. A stored answer stays. */
  withdraw(key: string): Promise<void>;
}>;

export function idempotencyRecordsIn(tables: Tables): IdempotencyRecords {
  const claim = batchWrites(
    (requests: readonly RecordRequest[]) =>
      transact(tables, (within) => claimAll(within, requests, databaseMoment(tables))),
    BATCH_MAX,
  );
  const change = batchWrites(
    (changes: readonly IdempotencyChange[]) =>
      transact(tables, (within) => changeAll(within, changes, momentAt(Date.now()))),
    BATCH_MAX,
  );
  return {
    claim: (key, bodyHash) => claim({ key, bodyHash }),
    answer: (key, answer) => change({ key, to: answer }),
    letGo: async (key) => {
      await change({ key, to: 'let go' });
    },
    withdraw: async (key) => {
      await change({ key, to: 'withdrawn' });
    },
  };
}

type RecordRequest = Readonly<{ key: string; bodyHash: string }>;

async function claimAll(
  within: DatabaseTransaction,
  requests: readonly RecordRequest[],
  claimed: RawBuilder<string>,
): Promise<IdempotencyClaim[]> {
  const first = new Map<string, RecordRequest>();
  for (const each of requests) if (!first.has(each.key)) first.set(each.key, each);
  const unanswered = { claimed, status: null, headers: null, body: null, answered: null };
  // A fixed lock order prevents deadlocks.
  const inOrder = [...first.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
  const taken = await within
    .insertInto('receipts')
    .values(inOrder.map(({ key, bodyHash }) => ({ key, body_hash: bodyHash, ...unanswered })))
    .onConflict((same) => same.column('key').doNothing())
    .returning('key')
    .execute();

  const fresh = new Set(taken.map(({ key }) => key));
  const known = await receiptsOf(within, [...first.keys()], claimed);
  return requests.map((each) =>
    first.get(each.key) === each && fresh.has(each.key) ? { kind: 'new' } : judge(known.get(each.key), each.bodyHash),
  );
}

async function receiptsOf(within: DatabaseTransaction, keys: readonly string[], present: RawBuilder<string>) {
  const rows = await within
    .selectFrom('receipts')
    .selectAll()
    .select(present.as('present'))
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** If the insert finds a receipt that the query then does not find, another process has withdrawn it in between. */
function judge(receipt: (Schema['receipts'] & { present: string }) | undefined, bodyHash: string): IdempotencyClaim {
  if (!receipt) return { kind: 'unanswered', since: Infinity };
  const { body_hash, claimed, present, status, headers, body } = receipt;
  if (body_hash !== bodyHash) return { kind: 'other-body' };
  if (status === null || headers === null || body === null)
    return { kind: 'unanswered', since: claimed === '' ? Infinity : Date.parse(present) - Date.parse(claimed) };
  return { kind: 'answered', answer: { status, headers: JSON.parse(headers) as RecordedAnswer['headers'], body } };
}

async function changeAll(
  within: DatabaseTransaction,
  changes: readonly IdempotencyChange[],
  answered: string,
): Promise<boolean[]> {
  if (isOnServer(within)) return changeInBatch(within, changes, answered);
  const changed: boolean[] = [];
  for (const { key, to } of changes) changed.push(await changeOne(within, key, to, answered));
  return changed;
}

async function changeOne(
  within: DatabaseTransaction,
  key: string,
  to: IdempotencyChange['to'],
  answered: string,
): Promise<boolean> {
  if (to === 'withdrawn') {
    const deletion = within.deleteFrom('receipts').where('key', '=', key).where('status', 'is', null);
    return (await deletion.executeTakeFirst()).numDeletedRows > 0n;
  }
  const values = to === 'let go' ? { claimed: '' } : { ...to, headers: JSON.stringify(to.headers), answered };
  const change = within.updateTable('receipts').set(values).where('key', '=', key).where('status', 'is', null);
  return (await change.executeTakeFirst()).numUpdatedRows > 0n;
}

/** The callers whose changes share one transaction. */
const BATCH_MAX = 128;
