import type { WhatIfControllerPreviewCommandsData } from '@charter/client';
import { compressed } from './compression';
import { DRAFT_NAME } from './draft-fragment';

/** A command in the form that `POST …/preview` and `POST …/commands` accept. */
export type KnownCommand = WhatIfControllerPreviewCommandsData['body']['commands'][number];
/** The data that a command of this type contains. */
export type KnownData<Type extends KnownCommand['type']> = NonNullable<
  Extract<KnownCommand, Readonly<{ type: Type }>>['data']
>;
/**
 * A command of a draft. A draft from another release of Charter may contain a type of command that this page does not
 * know.
 */
export type DraftCommand = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;

/** The maximum number of commands in one request of the API. */
export const DRAFT_COMMANDS_MAX = 20;
/** The maximum length of a draft's URL fragment, in characters. */
export const FRAGMENT_LENGTH_MAX = 16_000;

/** Whether a text contains an e-mail address. */
export const hasEmailAddress = (text: string): boolean => /[^\s"@<>]+@[^\s"@<>]+[.][^\s"@<>]+/.test(text);

/**
 * The address of a draft with these commands. The fragment of the address contains the commands as compressed JSON,
 * because browsers never send the fragment.
 * @throws RangeError for no command, for more than 20 commands, for a text with an e-mail address, and for a fragment
 *   that is too long
 */
export async function draftAddress(id: string, commands: readonly (KnownCommand | DraftCommand)[]): Promise<string> {
  if (commands.length === 0 || commands.length > DRAFT_COMMANDS_MAX)
    throw new RangeError(`A draft has 1 to ${DRAFT_COMMANDS_MAX} commands, not ${commands.length}.`);
  const json = JSON.stringify(commands.map(({ type, data = {} }) => [type, data]));
  if (hasEmailAddress(json)) throw new RangeError('A draft must not contain an e-mail address.');
  const fragment = `${DRAFT_NAME}${base64url(await compressed(json))}`;
  if (fragment.length > FRAGMENT_LENGTH_MAX)
    throw new RangeError(
      `The fragment of a draft has at most ${FRAGMENT_LENGTH_MAX} characters, not ${fragment.length}.`,
    );
  return `/org/${id}/draft${fragment}`;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
