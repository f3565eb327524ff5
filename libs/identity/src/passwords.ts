/**
 * The minimum number of code points in a password's normal form (`decisions.md`, Signing in, 8; `acceptance.md`, 1).
 */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export type PasswordProblem = 'too-short' | 'too-long' | 'common' | 'personal';

/** Names that may not make up most of a password, because attackers try them first. */
export type PasswordContext = Readonly<{
  product: string;
  organizations: readonly string[];
  email: string | null;
  username: string | null;
  name: string | null;
}>;

/**
 * The form of a password that is hashed, because two keyboards may encode the same letter in different ways. No other
 * character is changed or removed.
 */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * Why a password is refused; undefined if it is accepted. No rule requires certain kinds of characters.
 *
 * - *common*: an entry of the list in upper or lower case, alone or followed by up to four digits; or one entry
 *   repeated; or up to four characters repeated.
 * - *personal*: more than half of its letters and digits are names: of the product, of the person's organizations, or
 *   the person's address, parts of the address, username and name. Upper and lower case, and other characters, make no
 *   difference to this rule.
 *
 * @param common frequent passwords, in lower case
 */
export function passwordProblem(
  password: string,
  about: PasswordContext,
  common: ReadonlySet<string>,
): PasswordProblem | undefined {
  const normal = normalPassword(password);
  const { length } = Array.from(normal);
  if (length < PASSWORD_LENGTH_MIN) return 'too-short';
  if (length > PASSWORD_LENGTH_MAX) return 'too-long';
  if (isCommon(normal.toLowerCase(), common)) return 'common';
  return isPersonal(normal, about) ? 'personal' : undefined;
}

function isCommon(password: string, common: ReadonlySet<string>): boolean {
  if (common.has(password) || common.has(password.replace(/\d{1,4}$/, ''))) return true;
  const unit = repeatedUnit(password);
  return unit !== undefined && (Array.from(unit).length <= 4 || common.has(unit));
}

/** The shortest text that a text repeats from beginning to end, at least twice. */
const repeatedUnit = (text: string): string | undefined => /^(.+?)\1+$/su.exec(text)?.[1];

function isPersonal(password: string, { product, organizations, email, username, name }: PasswordContext): boolean {
  const names = [
    product,
    ...organizations,
    email,
    ...(email?.split(/[@.]/) ?? []),
    email?.split('@')[0],
    username,
    name,
    ...(name?.split(/\s+/) ?? []),
  ];
  const words = names.map((text) => lettersOf(text ?? '')).filter((word) => word.length >= WORD_LENGTH_MIN);
  const all = lettersOf(password);
  const rest = words
    .sort((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, GAP), all)
    .replaceAll(GAP, '');
  return rest.length < all.length / 2;
}

/** Only the letters and digits of a text, in lower case and normal width. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** The minimum length of a name that counts; shorter names occur in most passwords by chance. */
const WORD_LENGTH_MIN = 3;
/** Takes the place of a removed name, so that the texts around it do not join. */
const GAP = '\u0000';
