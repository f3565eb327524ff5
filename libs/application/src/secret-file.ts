import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { putTextInPlace, StoreRefused } from '@charter/event-log';

/**
 * Reads a secret from its file in the data folder. If the file does not exist, creates it with the result of `create`.
 * If two processes start at the same time, the first process creates the file, and both processes read the file. After
 * a crash or on a full disk, the file has its whole content or does not exist. Only the file's owner can read the file.
 * @throws StoreRefused if the file cannot be written
 */
export function readOrCreateSecret(data: string, name: string, create: () => string): string {
  const file = join(data, name);
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    if (!existsSync(file)) putTextInPlace(file, create());
  } catch (cause) {
    if (!existsSync(file))
      throw new StoreRefused(
        `The folder ${data} cannot be written: check its owner and rights, and whether its disk is full.`,
        { cause },
      );
  }
  return readFileSync(file, 'utf8');
}
