import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '@charter/database';
import { StoreRefused } from '@charter/event-log';
import type { Settings } from '@charter/settings';
import { keysFrom } from './derived-keys';
import { checkpointSeedFrom } from './history/checkpoint-key';
import { secretFiles } from './secret-file';

/**
 * Compares the secrets of processes that share their stores, because each process must decrypt data that another
 * process has encrypted. Refuses a server with different secrets while another server runs. When no server runs, the
 * next server that starts replaces the stored fingerprints of the secrets. The command line never replaces the
 * fingerprints, and creates no secret for stores that a server has used: Charter always refuses a command line with
 * different secrets. A fingerprint does not reveal its secret.
 * @param stores `lease` is absent if no other server can use the stores
 * @throws StoreRefused with a sentence that names the setting
 */
export async function shareSecrets(
  stores: Pick<Database, 'marks'> & Partial<Pick<Database, 'lease'>>,
  settings: SecretSettings,
  role: 'server' | 'beside',
): Promise<void> {
  const { marks, lease } = stores;
  for (const [name, setting, secretBytes] of secretsOf(settings)) {
    const known = await marks.get(markOf(name));
    const file = join(settings.data, secretFiles[name]);
    if (known !== undefined && role === 'beside' && setting === undefined && !existsSync(file))
      throw new StoreRefused(
        `${name} is not set here, and no file ${file} exists. Set ${name} to the secret of the server that uses these stores.`,
      );
    const print = fingerprintOf(secretBytes());
    if (known === print) continue;
    const isOther = known !== undefined && (role === 'beside' || (lease && (await isAnyServerRunning(lease))));
    if (isOther) throw new StoreRefused(role === 'beside' ? refusedCommand(name) : refusedServer(name));
    if (role === 'server') await marks.set(markOf(name), print);
  }
}

type SecretSettings = Pick<Settings, 'sessionSecret' | 'checkpointKey' | 'data'>;

/**
 * Returns a check of the stored fingerprints for a server that has stored its own fingerprints. The check returns a
 * sentence if another server has replaced a fingerprint. `shareSecrets` cannot prevent this if servers start at the
 * same time, or if only processes with ROLE=api run, because these processes hold no lease.
 * The check rejects if the tables do not answer.
 */
export function sharedSecretsCheck(
  marks: Database['marks'],
  settings: SecretSettings,
): () => Promise<string | undefined> {
  const prints = secretsOf(settings).map(([name, , secretBytes]) => [name, fingerprintOf(secretBytes())] as const);
  return async () => {
    const known = await Promise.all(prints.map(([name]) => marks.get(markOf(name))));
    const other = prints.find(([, print], index) => known[index] !== undefined && known[index] !== print);
    return other && refusedServer(other[0]);
  };
}

const secretsOf = (settings: SecretSettings) =>
  [
    ['SESSION_SECRET', settings.sessionSecret, () => keysFrom(settings)('print').export()],
    ['CHECKPOINT_KEY', settings.checkpointKey, () => checkpointSeedFrom(settings)],
  ] as const;

const refusedCommand = (name: string) =>
  `${name} differs from the secret of the server that started last on these stores. Give the command line the same ` +
  'secret. If you have replaced the secret, first start one server with the new secret.';
const refusedServer = (name: string) =>
  `${name} differs from the secret of the other processes on these stores. Give every process the same secret. ` +
  'Stop all processes before you change the secret.';

const markOf = (setting: string) => `print of ${setting}`;
const fingerprintOf = (secret: Buffer) =>
  hash('sha256', Buffer.concat([Buffer.from('charter print\n'), secret])).slice(0, 32);

const isAnyServerRunning = async (lease: Database['lease']): Promise<boolean> => {
  const held = await Promise.all(['projections', 'outbox'].map((name) => lease(name).held()));
  return held.some((one) => one !== undefined);
};
