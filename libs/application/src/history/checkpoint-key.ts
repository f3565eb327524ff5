import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StoreRefused } from '@charter/event-log';
import { SIGNER_NAME, type Signer, signerOf } from '@charter/integrity';
import type { Settings } from '@charter/settings';
import { isSeed } from '@charter/settings';
import { readOrCreateSecret, secretFiles } from '../secret-file';

type KeySettings = Pick<Settings, 'checkpointKey' | 'data'>;

/** Returns the signer of checkpoints. @throws StoreRefused as `checkpointSeedFrom` */
export const signerFrom = (settings: KeySettings): Signer => signerOf(SIGNER_NAME, checkpointSeedFrom(settings));

/**
 * The seed of the key that signs checkpoints. The seed comes from the settings. If the settings contain no seed,
 * Charter generates a seed once and stores it in a file in the data folder. Only the file's owner can read the file
 * (`settings.md`).
 * @throws StoreRefused when the file does not contain a seed, or cannot be written
 */
export const checkpointSeedFrom = ({ checkpointKey, data }: KeySettings): Buffer => checkpointKey ?? storedSeed(data);

function storedSeed(data: string): Buffer {
  const name = secretFiles.CHECKPOINT_KEY;
  const text = readOrCreateSecret(data, name, () => randomBytes(32).toString('base64')).trim();
  if (isSeed(text)) return Buffer.from(text, 'base64');
  throw new StoreRefused(
    `${join(data, name)} is not the key that signs checkpoints: it must hold 32 bytes in base64. Restore the right file, for example ` +
      'from a backup. A new key would sign checkpoints that holders of the old public key do not trust.',
  );
}
