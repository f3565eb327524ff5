import { hash } from 'node:crypto';
import type { Database } from '@charter/database';
import { StoreRefused } from '@charter/event-log';
import type { Settings } from '@charter/settings';
import { keysFrom } from './derived-keys';

/**
 * Processes that share their stores share their secrets, or one cannot read what another has sealed. A server with others
 * does not start while one is at work; once all have stopped, the first that starts says which secrets hold from then on.
 * The command line never does. What is kept tells nobody the secret.
 * @throws StoreRefused, naming the setting
 */
export async function shareSecrets(
  { marks, lease }: Pick<Database, 'marks' | 'lease'>,
  settings: Pick<Settings, 'sessionSecret' | 'checkpointKey' | 'data'>,
  role: 'server' | 'beside',
): Promise<void> {
  const prints = {
    SESSION_SECRET: printOf(keysFrom(settings)('print')),
    ...(settings.checkpointKey && { CHECKPOINT_KEY: printOf(settings.checkpointKey) }),
  };
  for (const [name, print] of Object.entries(prints)) {
    const known = await marks.get(markOf(name));
    if (known === print) continue;
    const isOther = known !== undefined && (role === 'beside' || (await isSomebodyAtWork(lease)));
    if (isOther)
      throw new StoreRefused(
        `${name} is not the one that the other processes on these stores have. Give every process the same; ` +
          'to change it, stop all of them first.',
      );
    if (role === 'server') await marks.set(markOf(name), print);
  }
}

const markOf = (setting: string) => `print of ${setting}`;
const printOf = (secret: Buffer) =>
  hash('sha256', Buffer.concat([Buffer.from('charter print\n'), secret])).slice(0, 32);

const isSomebodyAtWork = async (lease: Database['lease']): Promise<boolean> => {
  const held = await Promise.all(['projections', 'outbox'].map((name) => lease(name).held()));
  return held.some((one) => one !== undefined);
};
