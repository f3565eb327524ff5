/**
 * Makes the name of a product, organization or person safe for the subject and text of a mail, and shortens the name to
 * 80 characters. Replaces line breaks, invisible characters, changes of the writing direction, and `://` by spaces. The
 * result contains no complete web address.
 */
export const oneLine = (name: string): string =>
  Array.from(name.replace(/(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\s]|:\/\/)+/gu, ' ').trim())
    .slice(0, NAME_MAX)
    .join('');
const NAME_MAX = 80;

/**
 * The organization's name, if it is safe in the subject of a mail. Undefined for a name such as `evil.example`, which
 * mail programs turn into a link.
 */
export const inSubject = (name: string): string | undefined => (LINK.test(visible(name)) ? undefined : name);

/**
 * The name of an organization or person in a sentence of a mail. The sentence cannot leave out the name, because the
 * recipient must know who invites. In a name such as `evil.example` a space follows each dot, colon and slash. So mail
 * programs turn no part of the name into a link.
 */
export const inSentence = (name: string): string =>
  LINK.test(visible(name)) ? visible(name).replace(/[.\u3002:/]+(?=\S)/gu, '$& ') : name;

/** The name without invisible characters, and with one spelling of each character. */
const visible = (name: string): string =>
  name.normalize('NFKC').replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');

/** Matches a host name whose last part has two characters or more, an IP address, or the beginning of a web address. */
const LINK = /\S[.\u3002]\p{L}[\p{L}\p{M}\p{N}-]|(?:\d+\.){3}\d+|\[[\da-f.]*:[\da-f:.]*\]|www\.|https?:|:\/\//iu;
