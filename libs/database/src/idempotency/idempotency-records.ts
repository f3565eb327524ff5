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
  /** The idempotency key is new. The caller runs the request, and then stores its answer or withdraws the claim. */
  | Readonly<{ kind: 'new' }>
  /**
   * The same request claimed the key `since` milliseconds ago and has no answer: the request is still running, or its
   * process has crashed. `since` is Infinity if no process is running the request.
   */
  | Readonly<{ kind: 'unanswered'; since: number }>
  | Readonly<{ kind: 'answered'; answer: RecordedAnswer }>
  /** A request with another body has claimed the key. */
  | Readonly<{ kind: 'other-body' }>;

/** Stores the answer to each request by idempotency key, for ever. Keys are hashes that the caller computes. */
export type IdempotencyRecords = Readonly<{
  /** Claims the key before the request runs. The claim is on disk when the promise resolves. */
  claim(key: string, bodyHash: string): Promise<IdempotencyClaim>;
  /**
   * Stores the answer to the request with this key. Returns false, and changes nothing, if the key already has an
   * answer.
   */
  answer(key: string, answer: RecordedAnswer): Promise<boolean>;
  /**
   * Records that the request failed with an unknown outcome, so that a repetition of the request runs without waiting.
   */
  recordUnknownOutcome(key: string): Promise<void>;
  /**
   * Frees the key of a refused request, so that another request may use the key. If the key has an answer, changes
   * nothing.
   */
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
    recordUnknownOutcome: async (key) => {
      await change({ key, to: 'outcome unknown' });
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
  // All processes lock keys in the same order, which prevents deadlocks.
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
    first.get(each.key) === each && fresh.has(each.key)
      ? { kind: 'new' }
      : claimFromRow(known.get(each.key), each.bodyHash),
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

/**
 * Turns a stored row into the result of a claim. The insert of `claimAll` may find that another process has claimed the
 * key. If the other process withdraws its claim before `receiptsOf` reads the row, `receipt` is undefined.
 */
function claimFromRow(
  receipt: (Schema['receipts'] & { present: string }) | undefined,
  bodyHash: string,
): IdempotencyClaim {
  if (!receipt) return { kind: 'unanswered', since: Infinity };
  const { body_hash, claimed, present, status, headers, body } = receipt;
  if (body_hash !== bodyHash) return { kind: 'other-body' };
  if (status === null)
    return { kind: 'unanswered', since: claimed === '' ? Infinity : Date.parse(present) - Date.parse(claimed) };
  const parsed = JSON.parse(headers ?? '{}') as RecordedAnswer['headers'];
  // Earlier releases stored NULL as the body of a 204.
  return { kind: 'answered', answer: { status, headers: parsed, body: body ?? '' } };
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
  const values = to === 'outcome unknown' ? { claimed: '' } : { ...to, headers: JSON.stringify(to.headers), answered };
  const change = within.updateTable('receipts').set(values).where('key', '=', key).where('status', 'is', null);
  return (await change.executeTakeFirst()).numUpdatedRows > 0n;
}

/** The maximum number of callers whose changes share one transaction. */
const BATCH_MAX = 128;
