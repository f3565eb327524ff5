import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreRefused } from '@charter/event-log';
import { SIGNER_NAME, type Signer, signerOf } from '@charter/integrity';
import type { Settings } from '@charter/settings';
import { isSeed } from '@charter/settings';

/**
 * Returns the signer of checkpoints. The signer's seed comes from the settings. If the settings contain no seed,
 * Charter generates a seed once and stores it in a file in the data folder. Only the file's owner can read the file
 * (`settings.md`).
 * @throws StoreRefused when the file does not contain a seed, or cannot be written
 */
export const signerFrom = ({ checkpointKey, data }: Pick<Settings, 'checkpointKey' | 'data'>): Signer =>
  signerOf(SIGNER_NAME, checkpointKey ?? storedSeed(data));

/**
 * Reads the seed from its file. If two processes start at the same time, the first process creates the file, and both
 * processes read the file.
 */
function storedSeed(data: string): Buffer {
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
    `${file} is not the key that signs checkpoints: it must hold 32 bytes in base64. Restore the right file, for example ` +
      'from a backup. A new key would sign checkpoints that holders of the old public key do not trust.',
  );
}
