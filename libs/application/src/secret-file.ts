import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, putTextInPlace, StoreRefused } from '@charter/event-log';

/** The files in the data folder that contain the secrets which the settings lack. */
export const secretFiles = { SESSION_SECRET: 'session-secret', CHECKPOINT_KEY: 'checkpoint-key' } as const;

/**
 * Reads a secret from its file in the data folder. If the file does not exist, creates it with the result of `create`.
 * If two processes start at the same time, the first process creates the file, and both processes read the file. After
 * a crash or on a full disk, the file has its whole content or does not exist. Only the file's owner can read the file.
 * @throws StoreRefused if the file can be neither written nor read, for example because it is a folder
 */
export function readOrCreateSecret(data: string, name: string, create: () => string): string {
  const file = join(data, name);
  let notWritten: unknown;
  try {
    createFolder(data);
    if (!existsSync(file)) putTextInPlace(file, create());
  } catch (error) {
    notWritten = error;
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StoreRefused(
      notWritten === undefined
        ? `${file} cannot be read: check its owner and rights, and that it is a file.`
        : whyNotWritten(data),
      { cause: notWritten ?? error },
    );
  }
}

const whyNotWritten = (data: string): string =>
  isOtherThanFolder(data)
    ? `${data} is not a folder. Set CHARTER_DATA to a folder.`
    : `The folder ${data} cannot be written: check its owner and rights, and whether its disk is full.`;

function isOtherThanFolder(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false; // nothing is there, or this user may not look there
  }
}
