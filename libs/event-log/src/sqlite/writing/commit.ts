import type { DatabaseSync } from 'node:sqlite';
import { decideAppend, recentIds } from '../../append-rule';
import { type SqliteFailure, failureOf } from '../failure';
import { type CommitResult, type AppendJob, type AppendOutcome, monotonicNow } from './messages';
import { statements, type StreamRow } from './statements';

/**
 * Writes batches of jobs on a connection of its own. Each batch is one transaction, in which every job is judged by what
 * lies in the log at that moment, the jobs before it included; the outcomes are known only after COMMIT.
 */
export function committing(db: DatabaseSync): (jobs: readonly AppendJob[]) => CommitResult {
  const write = writing(db);
  let stopped: string | undefined;
  return (jobs) => {
    for (;;) {
      if (stopped) return { outcomes: all(jobs, ['failed', 'unavailable', stopped]), stopped };
      if (jobs.every(isLate)) return { outcomes: all(jobs, tooLate) };
      try {
        return { outcomes: write(jobs) };
      } catch (error) {
        const { kind, why } = failureOf(error);
        if (kind === 'busy') continue;
        if (kind !== 'full') stopped = why;
        return { outcomes: all(jobs, failed(kind, why)), ...(stopped && { stopped }) };
      }
    }
  };
}

const all = (jobs: readonly AppendJob[], outcome: AppendOutcome) => jobs.map(() => outcome);

/** A full disk passes; whatever else went wrong is final, until a restart has looked at the file. */
const failed = (kind: SqliteFailure['kind'], why: string): AppendOutcome => [
  'failed',
  kind === 'internal' ? 'internal' : 'unavailable',
  `The log could not write: ${why}.`,
];

const isLate = ([, , deadline]: AppendJob) => monotonicNow() >= deadline;
const tooLate: AppendOutcome = ['failed', 'unavailable', 'The log was busy until the deadline.'];

/** All jobs in one transaction. It throws what SQLite threw, with nothing written and nothing remembered. */
function writing(db: DatabaseSync) {
  const append = appending(db);
  return (jobs: readonly AppendJob[]) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const outcomes = jobs.map((job) => (isLate(job) ? tooLate : append.one(job)));
      db.exec('COMMIT');
      append.committed();
      return outcomes;
    } catch (error) {
      append.rolledBack();
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}

function appending(db: DatabaseSync) {
  const sql = statements(db);
  const recent = recentIds();
  let uncommitted: (readonly [stream: string, id: string])[] = [];

  function one(job: AppendJob): AppendOutcome {
    const [name, expected, , , events] = job;
    const stream = sql.stream(name);
    const stored = (revision: bigint) => stream && sql.eventAt(stream.id, revision);
    const verdict = decideAppend({
      current: stream?.revision ?? -1n,
      expected,
      ids: events.map(([id]) => id),
      storedIdAt: (revision) => stored(revision)?.id,
      recentRevisionOf: (id) => recent.revisionOf(name, id),
    });
    if (verdict.kind === 'conflict') return ['conflict', stream?.revision ?? -1n];
    if (verdict.kind === 'write') return insert(job, stream);
    return ['appended', verdict.revision, stored(verdict.revision)!.position, true]; // the rule has just found it
  }

  function insert([name, , , , events]: AppendJob, stream: StreamRow | undefined): AppendOutcome {
    const created = Date.now();
    let revision = stream?.revision ?? -1n;
    let position = 0;
    const into = sql.grow(stream, name, revision + BigInt(events.length));
    for (const event of events) {
      position = sql.insert(into, ++revision, event, created);
      recent.remember(name, event[0], revision);
      uncommitted.push([name, event[0]]);
    }
    return ['appended', revision, position, false];
  }

  return {
    one,
    committed: () => void (uncommitted = []),
    rolledBack: () => {
      for (const [stream, id] of uncommitted) recent.forget(stream, id);
      uncommitted = [];
    },
  };
}
