import { dictionary } from '@zxcvbn-ts/language-common';

/** The passwords that appear most often in leaks, in lower case. The set is built at the first call. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(dictionary['passwords-common'].map((password) => password.normalize('NFC').toLowerCase()));
  return known;
}

let known: ReadonlySet<string> | undefined;
