import { sql } from 'kysely';
import type { DatabaseTransaction } from '../schema/schema';
import type { RecordedAnswer, IdempotencyChange } from '../idempotency/recorded-answer';

/**
 * Applies several changes with few statements, because each statement is a round trip to the server, and all callers
 * wait for this round trip. The result is the same as with one statement for each change, in order.
 * @returns for each change, whether it changed a row
 */
export async function changeInBatch(
  within: DatabaseTransaction,
  changes: readonly IdempotencyChange[],
  answered: string,
): Promise<boolean[]> {
  const changed = new Set<IdempotencyChange>();
  for (const round of roundsOf(changes)) {
    const keys = new Set([
      ...(await giveAnswers(within, round, answered)),
      ...(await keysOf(
        within,
        round,
        'outcome unknown',
        (condition) => sql`update receipts set claimed = '' where ${condition}`,
      )),
      ...(await keysOf(within, round, 'withdrawn', (condition) => sql`delete from receipts where ${condition}`)),
    ]);
    for (const change of round) if (keys.has(change.key)) changed.add(change);
  }
  return changes.map((change) => changed.has(change));
}

/** Splits changes into rounds. A round has at most one change for each idempotency key. Usually one round is enough. */
function roundsOf(changes: readonly IdempotencyChange[]): readonly IdempotencyChange[][] {
  const [rounds, seen] = [[] as IdempotencyChange[][], new Map<string, number>()];
  for (const change of changes) {
    const round = seen.get(change.key) ?? 0;
    (rounds[round] ??= []).push(change);
    seen.set(change.key, round + 1);
  }
  return rounds;
}

async function giveAnswers(
  within: DatabaseTransaction,
  changes: readonly IdempotencyChange[],
  answered: string,
): Promise<string[]> {
  const answers = changes.flatMap(({ key, to }) => (typeof to === 'string' ? [] : [{ key, ...to }]));
  if (answers.length === 0) return [];
  const column = (of: (answer: RecordedAnswer & { key: string }) => unknown) => answers.map(of);
  const { rows } = await sql<{ key: string }>`update receipts as r
    set status = v.status, headers = v.headers, body = v.body, answered = ${answered}
    from unnest(${column(({ key }) => key)}::text[], ${column(({ status }) => status)}::int[],
      ${column(({ headers }) => JSON.stringify(headers))}::text[], ${column(({ body }) => body)}::text[])
      as v (key, status, headers, body)
    where r.key = v.key and r.status is null returning r.key`.execute(within);
  return rows.map(({ key }) => key);
}

async function keysOf(
  within: DatabaseTransaction,
  changes: readonly IdempotencyChange[],
  kind: IdempotencyChange['to'] & string,
  statement: (condition: ReturnType<typeof sql>) => ReturnType<typeof sql>,
): Promise<string[]> {
  const keys = changes.filter(({ to }) => to === kind).map(({ key }) => key);
  if (keys.length === 0) return [];
  const condition = sql`key = any(${keys}::text[]) and status is null returning key`;
  const { rows } = await statement(condition).execute(within);
  return (rows as { key: string }[]).map(({ key }) => key);
}
