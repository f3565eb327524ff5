import type { DatabaseSync } from 'node:sqlite';
import { decideAppend, recentEventIds } from '../../append-rule';
import { type SqliteFailure, failureOf } from '../failure';
import { type CommitResult, type AppendJob, type AppendOutcome, monotonicNow } from './messages';
import { statements, type StreamRow } from './statements';

/**
 * Writes batches of jobs on the writer's own connection. Each batch is one transaction. The decision about each job
 * depends on all stored events and on the earlier jobs of the batch (`event-log.md` C2). The outcomes are final only
 * after COMMIT.
 */
export function committing(db: DatabaseSync): (jobs: readonly AppendJob[]) => CommitResult {
  const write = writing(db);
  let stopped: string | undefined;
  return (jobs) => {
    for (;;) {
      if (stopped) return { outcomes: all(jobs, ['failed', 'unavailable', stopped]), stopped };
      if (jobs.every(isTooLate)) return { outcomes: all(jobs, tooLate) };
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

/** A full disk is temporary. After any other failure the writer stops until a restart has checked the file. */
const failed = (kind: SqliteFailure['kind'], why: string): AppendOutcome => [
  'failed',
  kind === 'internal' ? 'internal' : 'unavailable',
  `The log could not write: ${why}.`,
];

const isTooLate = ([, , deadline]: AppendJob) => monotonicNow() >= deadline;
const tooLate: AppendOutcome = ['failed', 'unavailable', 'The log was busy until the deadline.'];

/**
 * Runs all jobs in one transaction. If SQLite throws, rolls back, removes the batch's ids from the recent ids, and
 * throws the same error.
 */
function writing(db: DatabaseSync) {
  const append = appending(db);
  return (jobs: readonly AppendJob[]) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const outcomes = jobs.map((job) => (isTooLate(job) ? tooLate : append.one(job)));
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
  const recent = recentEventIds();
  let uncommitted: (readonly [stream: string, id: string])[] = [];

  function one(job: AppendJob): AppendOutcome {
    const [name, expected, , , events] = job;
    const stream = sql.stream(name);
    const stored = (revision: bigint) => stream && sql.eventAt(stream.id, revision);
    const decision = decideAppend({
      current: stream?.revision ?? -1n,
      expected,
      ids: events.map(([id]) => id),
      storedIdAt: (revision) => stored(revision)?.id,
      recentRevisionOf: (id) => recent.revisionOf(name, id),
    });
    if (decision.kind === 'conflict') return ['conflict', stream?.revision ?? -1n];
    if (decision.kind === 'write') return insert(job, stream);
    // The event exists, because the decision has just found it.
    return ['appended', decision.revision, stored(decision.revision)!.position, true];
  }

  function insert([name, , , , events]: AppendJob, stream: StreamRow | undefined): AppendOutcome {
    const created = Date.now();
    let revision = stream?.revision ?? -1n;
    let position = 0;
    const into = sql.grow(stream, name, revision + BigInt(events.length));
    for (const event of events) {
      position = sql.insert(into, ++revision, event, created);
      recent.add(name, event[0], revision);
      uncommitted.push([name, event[0]]);
    }
    return ['appended', revision, position, false];
  }

  return {
    one,
    committed: () => void (uncommitted = []),
    rolledBack: () => {
      for (const [stream, id] of uncommitted) recent.remove(stream, id);
      uncommitted = [];
    },
  };
}
