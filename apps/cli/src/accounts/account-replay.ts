import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NoteRefused, type Verifier, verifierOf } from '@charter/integrity';
import { type Charter, certifyErasures, type Erasure, openCertificate } from '@charter/application';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import { commandLineCommands } from '../terminal/organization-commands';
import { CommandDeclined } from '../terminal/problem';
import { countText } from '../terminal/amounts';
import { withoutControlCharacters } from '../terminal/table';

/**
 * The result of repeating one erasure. `stays`: the organizations whose only owner is this account. The id of the
 * erased account stays the owner of the organizations in `stays`.
 */
type Replayed = Readonly<{ file: string; account?: string } & ({ outcome: Outcome } | { refused: string })> &
  Readonly<{ stays?: readonly Readonly<{ id: string; name: string }>[] }>;
type Outcome = 'erased' | 'erased before' | 'unknown here';

/**
 * Repeats the erasures that a folder of certificates names, because the stores may be older than the erasures. Reads
 * every entry of the folder, whatever its name, except unfinished files, and verifies each certificate first. Reports
 * and skips entries that are not valid certificates of this event store. An account may be unknown, because the stores
 * may be older than the account. Stores without the account contain nothing to erase, so the answer is still `ok` and
 * names the account. If all accounts are unknown, the settings probably name the wrong stores, so the answer is not
 * `ok`.
 * @param of The signing key of each certificate, and the event store that each certificate must name. Default: the
 * signing key and the event store of this installation.
 */
export async function replayCertificates(
  charter: Charter,
  folder: string,
  of: Partial<Origin>,
): Promise<CommandAnswer> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandDeclined('no-folder', 404, `There is no folder at ${folder}.`);
  const verifier = verifierFrom(of.key ?? charter.signer.verifierKey);
  const store = of.store ?? (await charter.log.identity());
  const files = certificatesAmong(readdirSync(folder));
  if (files.length === 0)
    throw new CommandDeclined(
      'no-certificates',
      404,
      `There are no certificates in ${folder}, so no erasure was repeated. Name the folder that contains the certificates.`,
    );
  const results: Replayed[] = [];
  for (const file of files.sort()) results.push(await replayOne(charter, join(folder, file), { verifier, store }));
  const refused = results.filter((one) => 'refused' in one);
  const erased = results.flatMap((one) => (isErased(one) && one.account !== undefined ? [one.account] : []));
  const { outcome, remains } = await certifyErasures(charter, erased);
  const unknown = results.filter((one) => 'outcome' in one && one.outcome === 'unknown here');
  const noneIsKnown = erased.length === 0 && unknown.length > 0;
  const ok = refused.length === 0 && !noneIsKnown && outcome !== 'failed';
  const counts = [
    countText(results.length, 'certificate'),
    `${refused.length} refused`,
    `${unknown.length} unknown here`,
  ];
  const lines = [...results.map((one) => withoutControlCharacters(lineOf(one))), `${counts.join(', ')}.`];
  const text = [...lines, ...(noneIsKnown ? [NONE_KNOWN] : []), ...(remains === null ? [] : [remains])].join('\n');
  return { text, json: { ok, certificates: results, remains }, ok };
}

/** Leaves out the unfinished file `ID.erasure.UUID` of a crashed process if the certificate `ID.erasure` exists too. */
const certificatesAmong = (names: readonly string[]): string[] =>
  names.filter((name) => !UNFINISHED.test(name) || !names.includes(name.replace(UNFINISHED, '.erasure')));
const UNFINISHED = /\.erasure\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const NONE_KNOWN =
  'Nothing was repeated, because these stores contain none of the accounts. Check which stores the settings name. ' +
  'If the backup is older than the accounts, there is nothing to erase.';

const isErased = (one: Replayed) => 'outcome' in one && (one.outcome === 'erased' || one.outcome === 'erased before');

type Origin = Readonly<{ key: string | undefined; store: string | undefined }>;
type Expected = Readonly<{ verifier: Verifier; store: string }>;

async function replayOne(charter: Charter, file: string, expected: Expected): Promise<Replayed> {
  const { database, accounts } = charter;
  const erasure = opened(file, expected.verifier);
  if (typeof erasure === 'string') return { file, refused: erasure };
  if (erasure.store !== expected.store)
    return {
      ...{ file, account: erasure.account },
      refused: `The certificate belongs to the event store ${erasure.store}; this is ${expected.store}.`,
    };
  const { account } = erasure;
  const known = await database.people.accounts.byId(account);
  if (!known) return { file, account, outcome: 'unknown here' };
  const done = await accounts.eraseAgain(account, commandLineContext(), commandLineCommands(charter));
  if (!done) return { file, account, outcome: 'erased before' };
  return { file, account, outcome: 'erased', ...(done.stays.length > 0 && { stays: done.stays }) };
}

/** The content of a certificate, or the reason why the certificate is refused. */
function opened(file: string, verifier: Verifier): Erasure | string {
  try {
    const entry = statSync(file, { throwIfNoEntry: false });
    if (!entry?.isFile()) return 'The entry of the folder is not a file.'; // reading a pipe might never end
    if (entry.size > BYTES_MAX) return 'The file is too large for a certificate.';
    return openCertificate(readFileSync(file, 'utf8'), verifier);
  } catch (error) {
    if (error instanceof NoteRefused) return error.message;
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) return `The file cannot be read (${code}).`;
    throw error;
  }
}

/** The maximum size of a certificate in bytes. A certificate has only a few lines. */
const BYTES_MAX = 65_536;

function verifierFrom(key: string): Verifier {
  try {
    return verifierOf(key);
  } catch (error) {
    if (error instanceof NoteRefused) throw new CommandDeclined('no-key', 400, error.message);
    throw error;
  }
}

function lineOf(one: Replayed): string {
  if ('refused' in one) return `${one.file}: refused. ${one.refused}`;
  const stays = (one.stays ?? []).map(({ id, name }) => `${name} (${id})`).join(', ');
  const owners = stays === '' ? '' : `; the id stays the only owner of ${stays}, so name another owner`;
  return `${one.account}: ${one.outcome}${owners}`;
}
