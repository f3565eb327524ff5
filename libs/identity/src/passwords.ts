/** Code points of a password in its normal form (`decisions.md`, Signing in, 8; `acceptance.md`, 1). */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export type PasswordProblem = 'too-short' | 'too-long' | 'common' | 'personal';

/** What a password must not be made of, because whoever guesses tries it first. */
export type PasswordContext = Readonly<{
  product: string;
  organizations: readonly string[];
  email: string | null;
  username: string | null;
  name: string | null;
}>;

/** The writing that is hashed: two keyboards may write one letter in two ways. Nothing else is changed, and nothing cut off. */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * Why a password cannot be chosen; undefined: it can. There is no rule of composition.
 *
 * - *common*: on the list in any case, also with up to four digits after it, or one of its entries, or up to four characters,
 *   again and again.
 * - *personal*: more than half of its letters and digits are the names of the product, of the person's organizations, or of the
 *   person: address, its parts, username, name. Case and what stands between the letters make no difference.
 *
 * @param common passwords that many people have, in lower case
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

/** What a text repeats twice or more from end to end. */
const repeatedUnit = (text: string): string | undefined => /^(.+?)\1+$/su.exec(text)?.[1];

function isPersonal(password: string, { product, organizations, email, username, name }: PasswordContext): boolean {
  const given = [
    product,
    ...organizations,
    email,
    ...(email?.split(/[@.]/) ?? []),
    email?.split('@')[0],
    username,
    name,
    ...(name?.split(/\s+/) ?? []),
  ];
  const words = given.map((text) => lettersOf(text ?? '')).filter((word) => word.length >= WORD_LENGTH_MIN);
  const all = lettersOf(password);
  const rest = words
    .sort((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, GAP), all)
    .replaceAll(GAP, '');
  return rest.length < all.length / 2;
}

/** Letters and digits in one case and width, without what stands between them. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Shorter words stand in everything. */
const WORD_LENGTH_MIN = 3;
/** Keeps what stood before and after a word apart. */
const GAP = '\u0000';
