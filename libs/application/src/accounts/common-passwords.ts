import { dictionary } from '@zxcvbn-ts/language-common';

/** Passwords that many people have, in lower case: what leaked most often. Made when it is first asked for. */
export function commonPasswords(): ReadonlySet<string> {
  known ??= new Set(dictionary['passwords-common'].map((password) => password.normalize('NFC').toLowerCase()));
  return known;
}

let known: ReadonlySet<string> | undefined;
