/**
 * The passwords that appear most often in leaks, in lower case. Loads the list of common passwords only at the first
 * call, because most commands check no password. Loading the list takes a sixth of a command's start time.
 * @throws the error of the import; the next call loads the list again
 */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= load().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function load() {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map((password) => password.normalize('NFC').toLowerCase()));
}

let known: Promise<ReadonlySet<string>> | undefined;
