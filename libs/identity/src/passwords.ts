/**
 * The minimum number of code points in a password's normal form (`decisions.md`, Signing in, 8; `acceptance.md`, 1).
 */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export type PasswordProblem = 'too-short' | 'too-long' | 'common' | 'personal';

/** Names that must not make up more than half of a password, because attackers try these names first. */
export type PasswordContext = Readonly<{
  product: string;
  organizations: readonly string[];
  email: string | null;
  username: string | null;
  name: string | null;
}>;

/**
 * Returns the Unicode form NFC of a password, without removing a character. Charter hashes this form, because two
 * keyboards may encode the same letter differently.
 */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * Why a password is refused; undefined if it is accepted. No rule requires certain kinds of characters.
 *
 * - *common*: an entry of the list `common`, alone, repeated, or before one to four digits; or a repetition of one to
 *   four characters. Upper and lower case count as equal.
 * - *personal*: more than half of the password's letters and digits belong to names. Names are the product's name, the
 *   names of the person's organizations, and the person's username, name and address, with their parts. The rule
 *   ignores upper and lower case, and all characters that are no letters or digits.
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

/** The shortest part whose repetition gives the whole text; undefined if the text is no repetition. */
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

/** The minimum length of a name for the rule *personal*, because shorter names occur in most passwords by chance. */
const WORD_LENGTH_MIN = 3;
/** Replaces a removed name until all names are removed, so that the texts around it do not form another name. */
const GAP = '\u0000';
