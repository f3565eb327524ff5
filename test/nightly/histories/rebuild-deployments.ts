import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isLogError } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { Charter } from '@charter/application';
import { several } from '../../support/network/processes';
import { type Served, serving } from '../../support/serving';
import { times } from '../length';

const main = resolve(__dirname, '../../../dist/apps/api/apps/cli/src/main.js');
export const EVENTS_EACH = 60;
export const organizations = times(150, 3_000);

/** A running server, its stores, and the command line on the same stores. */
export type RebuildDeployment = Readonly<{
  charter: Charter;
  ask: Served['ask'];
  cli: (...args: string[]) => ChildProcess;
  end: () => Promise<void>;
}>;
/** Runs the built command line with these settings. */
export const cliWith =
  (settings: Readonly<Record<string, string>>): RebuildDeployment['cli'] =>
  (...args) =>
    spawn(process.execPath, [main, ...args], { env: { PATH: process.env['PATH'], ...settings } });

export async function embedded(): Promise<RebuildDeployment> {
  const served = await serving();
  const key = await served.key();
  return {
    charter: served.charter,
    ask: (method, path, sent = {}) => served.ask(method, path, { key, ...sent }),
    cli: cliWith({ CHARTER_DATA: served.folder }),
    end: served.close,
  };
}

export async function onServers(): Promise<RebuildDeployment> {
  const stores = await several();
  const process = await stores.start();
  const key = await stores.key();
  return {
    charter: stores.charter,
    ask: (method, path, sent = {}) => process.ask(method, path, { key, ...sent }),
    cli: cliWith(stores.settings),
    end: stores.end,
  };
}

/** Fills the log with a long history: organizations that are renamed many times. */
export async function grown(
  { organizations: rules }: Pick<Charter, 'organizations'>,
  count = organizations,
): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const left = ids.values();
  const grow = async () => {
    for (const id of left) {
      const by = () => ({
        actor: { kind: 'system', id: 'spec', powers: ['operator'] } as const,
        at: new Date().toISOString(),
        command: randomUUID(),
        correlation: id,
        causation: id,
      });
      const renames = Array.from({ length: EVENTS_EACH - 1 }, (_, number) => {
        return { type: 'RenameOrganization', data: { name: `Name ${number}` } } as const;
      });
      const stream = organizationStream(id);
      const [first, second] = [by(), by()];
      await retried(() => rules.execute(stream, { type: 'FoundOrganization', data: { name: 'Acme' } }, first));
      await retried(() => rules.execute(stream, renames, second));
    }
  };
  await Promise.all(Array.from({ length: 4 }, grow));
  return ids;
}

/**
 * Repeats a command until it succeeds before its deadline, because the machine may be busy. The command is idempotent.
 */
async function retried(work: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await work();
      return;
    } catch (why) {
      if (!isLogError(why, 'unavailable')) throw why;
    }
}
