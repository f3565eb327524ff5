import * as z from 'zod/mini';
import { expanded } from './compression';
import { DRAFT_COMMANDS_MAX, type DraftCommand, FRAGMENT_LENGTH_MAX, hasEmailAddress } from './draft-address';
import { DRAFT_NAME } from './draft-fragment';

z.config({ jitless: true }); // the Content-Security-Policy forbids `new Function`

/** The maximum length of the commands as JSON, in bytes. */
const JSON_BYTES_MAX = 64_000;

/**
 * The maximum number of opening brackets in the JSON, because deeply nested data would exceed the stack of the browser.
 */
const BRACKETS_MAX = 500;

/** Why a fragment is not a draft. The page has a sentence for each flaw. */
export type DraftFlaw = 'none' | 'foreign' | 'broken' | 'too-long' | 'too-many' | 'e-mail-address';
export type DraftReading = Readonly<{ commands: readonly DraftCommand[] }> | Readonly<{ flaw: DraftFlaw }>;

const Data = z.custom<DraftCommand['data']>(
  (data: unknown) => typeof data === 'object' && data !== null && !Array.isArray(data),
);
const CommandPair = z.tuple([z.string().check(z.regex(/^[A-Za-z]{1,60}$/)), Data]);
const Commands = z.array(CommandPair).check(z.minLength(1), z.maxLength(DRAFT_COMMANDS_MAX));

/** The commands in a URL fragment, or the reason why the fragment is not a draft. */
export async function readDraft(fragment: string): Promise<DraftReading> {
  if (fragment === '' || fragment === '#' || fragment === DRAFT_NAME) return { flaw: 'none' };
  if (!fragment.startsWith(DRAFT_NAME)) return { flaw: 'foreign' };
  if (fragment.length > FRAGMENT_LENGTH_MAX) return { flaw: 'too-long' };
  try {
    const json = await expanded(fromBase64url(fragment.slice(DRAFT_NAME.length)), JSON_BYTES_MAX);
    if (json === undefined) return { flaw: 'too-long' };
    if ((json.match(/[[{]/g)?.length ?? 0) > BRACKETS_MAX) return { flaw: 'broken' };
    const value: unknown = JSON.parse(json);
    if (hasEmailAddress(JSON.stringify(value))) return { flaw: 'e-mail-address' }; // without escapes such as \u0040
    if (Array.isArray(value) && value.length > DRAFT_COMMANDS_MAX) return { flaw: 'too-many' };
    return { commands: z.parse(Commands, value).map(([type, data]) => ({ type, data })) };
  } catch {
    return { flaw: 'broken' };
  }
}

/** @throws for a text that is not base64url */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]+$/.test(text)) throw new RangeError('The text is not base64url.');
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
