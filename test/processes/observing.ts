import { setTimeout as pause } from 'node:timers/promises';
import { verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import type { Operation } from '../crash/callers';
import { expectWholeIn } from '../crash/oracle';
import type { Balancer } from '../support/network/balancer';
import type { Exit, Process, Several } from '../support/network/processes';
import { eventsOf, until } from '../support/serving';

/** The process that has the lease for the projections, or for the outbox. */
export async function leader(
  { charter }: Several,
  among: readonly Process[],
  lease: 'projections' | 'outbox' = 'projections',
): Promise<Process> {
  let found: Process | undefined;
  await until(async () => {
    const held = await charter.database.lease(lease).held();
    found = among.find(({ pid }) => held?.holder.includes(`/${pid}/`));
    return found;
  }, 30_000);
  return found!;
}

/** Waits until the read model has processed every event that the log has at this moment. */
export async function caughtUp({ charter: { log, view } }: Several): Promise<void> {
  const head = await log.head();
  const reached = async () => (await (await view.live())?.status())?.checkpoint?.position ?? '';
  await until(async () => (await reached()) >= head, 30_000);
}

/** Checks oracle R (`acceptance.md` 2) for all requests. */
export async function expectWhole(all: Several, operations: readonly Operation[]): Promise<void> {
  await expectWholeIn(await eventsOf(all, 'organization-'), operations);
  await caughtUp(all);
  const { log, view } = all.charter;
  const verified = await verifyView(log, (await view.live())!, organizationView);
  expect(verified).toMatchObject({ ok: true, hash: verified.replayHash });
}

/**
 * The requests that failed for the caller: the answer was invalid, or the outcome was still unknown after every retry.
 */
export const failed = (operations: readonly Operation[]) =>
  operations
    .filter(({ outcome, request: { key } }) => outcome === 'odd' || (outcome === 'unknown' && key !== undefined))
    .map(({ request, status }) => [status, request]);

export const acknowledged = (operations: readonly Operation[]): number =>
  operations.filter(({ outcome }) => outcome === 'acknowledged').length;

/**
 * Replaces a process behind a proxy by a new process, as a rolling restart does. Resolves with the new process, and
 * with the exit of the former process.
 */
export async function replaced(all: Several, proxy: Balancer, former: Process): Promise<{ by: Process; exit: Exit }> {
  const by = await all.start();
  proxy.add(by.url);
  await pause(300);
  const exit = await former.stop();
  proxy.remove(former.url);
  return { by, exit };
}
