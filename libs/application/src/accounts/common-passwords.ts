import { dictionary } from '@zxcvbn-ts/language-common';

/** Frequent passwords from leaks, in lower case. Built on first use. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(dictionary['passwords-common'].map((password) => password.normalize('NFC').toLowerCase()));
  return known;
}

let known: ReadonlySet<string> | undefined;
