import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../../cli/command-line';
import type { StoredEvent } from '@charter/event-log';
import { ask, type Asking, type Operation } from '../callers';
import type { Life } from '../life';
import { allOf, expectEqualReadModel, expectWhole, factOf } from '../oracle';
import { acknowledged } from '../../processes/observing';
import { until } from '../../support/serving';
import { isAlive, isReady, type Running, started } from '../server';

/** The cost of a backup and its restore: durations in milliseconds, and numbers of commands. */
type Cost = Readonly<{
  /** RPO: the age of the oldest acknowledged command that is not in the backup, when the backup was complete. */
  lost: number;
  /** RTO: the time from the first copied file of the restore until the server was ready. */
  ready: number;
  /** The number of commands that were acknowledged before the backup began. */
  before: number;
  /** The number of commands that were acknowledged while the backup was taken. */
  meanwhile: number;
}>;

export const costText = ({ lost, ready, before, meanwhile }: Cost): string =>
  `RPO ${lost.toFixed(0)} ms, RTO ${ready.toFixed(0)} ms; acknowledged before ${before}, meanwhile ${meanwhile}\n`;

/**
 * U1: runs `charter backup` while callers write, restores the backup into another folder and starts a server there. A
 * command that was acknowledged before the backup is in the backup once. Its repetition gets the same answer. A later
 * command is in the restored stores at most once, even after a repetition.
 */
export async function backedUpAndRestored(life: Life): Promise<Cost> {
  const copy = join(life.charter.data, `backup-${life.operations.length}`);
  let [began, ended] = [0, 0];
  const sent = await life.during(async (sent) => {
    await until(() => acknowledged(sent) >= LOAD, 60_000);
    began = performance.now();
    const { code, stderr } = await life.charter.run(['backup', copy]);
    ended = performance.now();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  return restoredFrom(copy, READY_MS, async ({ restored, server, ready }) => {
    const covered = coveredBy(life.operations, began);
    await expectWhole(restored, covered);
    const cost = costOf(sent, await restored.inside(({ log }) => allOf(log)), began, ended);
    await askAgain({ url: server.url, key: life.key }, covered.slice(-sent.length), began);
    await expectWhole(restored, covered);
    await expectEqualReadModel(restored, 'complete');
    return { ...cost, ready };
  });
}

type Restored = Readonly<{ restored: CommandLine; server: Running; ready: number }>;

/** Copies a backup into a new folder, starts a server there, verifies every chain, and calls `inspect`. */
export async function restoredFrom<Seen>(
  backup: string,
  readyWithinMs: number,
  inspect: (copy: Restored) => Promise<Seen>,
): Promise<Seen> {
  const restored = new CommandLine();
  const began = performance.now();
  cpSync(backup, restored.data, { recursive: true });
  const server = await started(restored, {}, isAlive);
  try {
    await until(() => isReady(server.url), readyWithinMs);
    const ready = performance.now() - began;
    const { code, stdout } = await restored.run(['verify', '--all']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    return await inspect({ restored, server, ready });
  } finally {
    await server.kill();
    restored.remove();
  }
}

/** The number of commands that are acknowledged before the backup begins. */
export const LOAD = 50;

/**
 * A server on a small copy is usually ready within ten seconds; the limit is higher because other specs run on the
 * machine.
 */
const READY_MS = 120_000;

/**
 * The expected content of a backup that began at this moment: all events of each command that was acknowledged before.
 * Of each other command, the backup contains all events or none.
 */
export const coveredBy = (operations: readonly Operation[], began: number): readonly Operation[] =>
  operations.map((operation) =>
    operation.answered! < began ? { ...operation } : { ...operation, outcome: 'unknown' },
  );

/**
 * Repeats the commands that have an idempotency key. A command that was answered before the copy began gets the
 * identical answer again.
 */
export async function askAgain(asking: Asking, covered: readonly Operation[], began: number): Promise<void> {
  const left = covered.filter(({ request }) => request.key !== undefined).values();
  const different: unknown[] = [];
  const caller = async () => {
    for (const operation of left) {
      const { answered, outcome, said } = operation;
      // Sends a command again after a 503.
      await until(() => ask(asking, operation).then(() => operation.outcome !== 'unknown'), 60_000);
      const wasAnswered = answered! < began && outcome !== 'unknown';
      if (wasAnswered && operation.said !== said) different.push({ ...operation, before: said });
      // the copy may lack the member, so the removal of this member is refused
      if (!wasAnswered && operation.outcome === 'odd') operation.outcome = 'unknown';
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  expect(different.slice(0, 3)).toEqual([]);
}

/**
 * Counts the commands that were acknowledged before and during a backup. Also returns the age, at the end of the
 * backup, of the oldest acknowledged command that the backup lacks.
 */
export function costOf(sent: readonly Operation[], copied: readonly StoredEvent[], began: number, ended: number) {
  const facts = new Set(copied.map(factOf));
  const done = sent.filter(({ outcome, answered }) => outcome === 'acknowledged' && answered! < ended);
  const lost = done.filter((operation) => !facts.has(operation.facts[0]!)).map(({ answered }) => ended - answered!);
  const before = done.filter(({ answered }) => answered! < began).length;
  return { lost: Math.max(0, ...lost), before, meanwhile: done.length - before };
}
