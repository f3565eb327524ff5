import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../../cli/command-line';
import type { StoredEvent } from '@charter/event-log';
import { ask, type Asking, type Deed } from '../callers';
import type { Life } from '../life';
import { allOf, expectEqualReadModel, expectWhole, factOf } from '../oracle';
import { acknowledged } from '../../processes/observing';
import { until } from '../../support/serving';
import { isAlive, isReady, type Running, started } from '../server';

/** What a backup costs whoever has to restore it, in milliseconds. */
export type Cost = Readonly<{
  /** RPO: how long ago the oldest command was acknowledged that is not in the backup, when the backup was complete. */
  lost: number;
  /** RTO: from the first file that was copied back until the server was ready. */
  ready: number;
  /** So many commands were acknowledged before the backup began, and while it was taken. */
  before: number;
  meanwhile: number;
}>;

export const costText = ({ lost, ready, before, meanwhile }: Cost): string =>
  `RPO ${lost.toFixed(0)} ms, RTO ${ready.toFixed(0)} ms; acknowledged before ${before}, meanwhile ${meanwhile}\n`;

/**
 * U1: `charter backup` while callers write, restored into another folder and started there. Whatever was acknowledged before
 * it began is there once and answered as then; whatever came later is there once or not at all, also when it is asked again.
 */
export async function backedUpAndRestored(life: Life): Promise<Cost> {
  const copy = join(life.charter.data, `backup-${life.deeds.length}`);
  let [began, ended] = [0, 0];
  const asked = await life.during(async (asked) => {
    await until(() => acknowledged(asked) >= LOAD, 60_000);
    began = performance.now();
    const { code, stderr } = await life.charter.run(['backup', copy]);
    ended = performance.now();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  return restoredFrom(copy, READY_MS, async ({ restored, server, ready }) => {
    const kept = keptBy(life.deeds, began);
    await expectWhole(restored, kept);
    const cost = costOf(asked, await restored.inside(({ log }) => allOf(log)), began, ended);
    await askAgain({ url: server.url, key: life.key }, kept.slice(-asked.length), began);
    await expectWhole(restored, kept);
    await expectEqualReadModel(restored, 'complete');
    return { ...cost, ready };
  });
}

type Restored = Readonly<{ restored: CommandLine; server: Running; ready: number }>;

/** Copies a backup to its place, starts a server there, has every chain verified, and looks. */
export async function restoredFrom<Seen>(
  backup: string,
  readyWithinMs: number,
  look: (copy: Restored) => Promise<Seen>,
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
    return await look({ restored, server, ready });
  } finally {
    await server.kill();
    restored.remove();
  }
}

/** Acknowledged before the backup begins. */
export const LOAD = 50;

/** Ten seconds are much for a small copy; this one may be made beside other work. */
const READY_MS = 120_000;

/** What a copy owes its callers that was begun then: what was answered before, and of everything else nothing in part. */
export const keptBy = (deeds: readonly Deed[], began: number): readonly Deed[] =>
  deeds.map((deed) => (deed.answered! < began ? { ...deed } : { ...deed, outcome: 'unknown' }));

/** Whoever has a key asks again: what was answered before the copy began is answered so again, to the letter. */
export async function askAgain(asking: Asking, kept: readonly Deed[], began: number): Promise<void> {
  const left = kept.filter(({ request }) => request.key !== undefined).values();
  const different: unknown[] = [];
  const caller = async () => {
    for (const deed of left) {
      const { answered, outcome, said } = deed;
      await until(() => ask(asking, deed).then(() => deed.outcome !== 'unknown'), 60_000); // 503: come again later
      const wasAnswered = answered! < began && outcome !== 'unknown';
      if (wasAnswered && deed.said !== said) different.push({ ...deed, before: said });
      if (!wasAnswered && deed.outcome === 'odd') deed.outcome = 'unknown'; // who is not there cannot be removed
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  expect(different.slice(0, 3)).toEqual([]);
}

/** Of what was asked around a backup: how much was acknowledged when, and how old the oldest is that the copy lacks. */
export function costOf(asked: readonly Deed[], copied: readonly StoredEvent[], began: number, ended: number) {
  const facts = new Set(copied.map(factOf));
  const done = asked.filter(({ outcome, answered }) => outcome === 'acknowledged' && answered! < ended);
  const lost = done.filter((deed) => !facts.has(deed.facts[0]!)).map(({ answered }) => ended - answered!);
  const before = done.filter(({ answered }) => answered! < began).length;
  return { lost: Math.max(0, ...lost), before, meanwhile: done.length - before };
}
