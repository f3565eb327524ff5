import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreRefused } from '@charter/event-log';
import { SIGNER_NAME, type Signer, signerOf } from '@charter/integrity';
import type { Settings } from '@charter/settings';
import { isSeed } from '@charter/settings';

/**
 * Who signs checkpoints: the seed is the setting, or made once and kept in the data folder, readable by its owner alone
 * (`api.md`, Settings). @throws StoreRefused when what is kept there is no seed, or nothing can be kept
 */
export const signerFrom = ({ checkpointKey, data }: Pick<Settings, 'checkpointKey' | 'data'>): Signer =>
  signerOf(SIGNER_NAME, checkpointKey ?? keptIn(data));

/** Two processes may come at once: whoever makes the file first is right. */
function keptIn(data: string): Buffer {
  const file = join(data, 'checkpoint-key');
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new StoreRefused(`The folder ${data} cannot be written: check its owner and rights.`, { cause: error });
  }
  const text = readFileSync(file, 'utf8').trim();
  if (isSeed(text)) return Buffer.from(text, 'base64');
  throw new StoreRefused(
    `${file} is not the key that signs checkpoints: it must hold 32 bytes in base64. Put the right one back, from a backup ` +
      'perhaps; without it, nothing new can be signed that those who have its public key would trust.',
  );
}
