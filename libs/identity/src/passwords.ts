/** Code points of a password in its normal form (`decisions.md`, Signing in, 8; `acceptance.md`, 1). */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export type PasswordProblem = 'too-short' | 'too-long' | 'common' | 'personal';

/** Names that must not make up most of a password, because attackers guess them first. */
export type PasswordContext = Readonly<{
  product: string;
  organizations: readonly string[];
  email: string | null;
  username: string | null;
  name: string | null;
}>;

/**
 * The form that is hashed, because two keyboards may encode one letter in two ways. No other character is changed or
 * removed.
 */
export const normalPassword = (password: string): string => password.normalize('NFC');

/**
 * Why a password is refused; undefined: it is accepted. No rule asks for certain kinds of characters.
 *
 * - *common*: on the list in any case, also with up to four digits after it; or an entry of the list repeated; or up to
 *   four characters repeated.
 * - *personal*: more than half of its letters and digits are names of the product, of the person's organizations, or of
 *   the person: address, its parts, username, name. Case and other characters make no difference.
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

/** The unit that a text repeats from end to end, at least twice. */
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

/** Letters and digits only, in one case and width. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Shorter words occur in most passwords by chance. */
const WORD_LENGTH_MIN = 3;
/** Separates the texts before and after a removed word. */
const GAP = '\u0000';
