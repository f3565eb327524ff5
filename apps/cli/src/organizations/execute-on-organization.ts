import type { Charter } from '@charter/application';
import type { OrganizationCommand } from '@charter/organization';
import { receiptDocument } from '@charter/organization-view';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import { commandLineCommands } from '../terminal/organization-commands';

/** The sentences about a command: after it recorded an event, and if nothing had to change. */
export type CommandSentences = Readonly<{ done: string; unchanged: string }>;

/**
 * Executes one command of an organization and answers with its receipt. `made` is the id of the entry that the command
 * creates.
 * @throws Refused if the organization refuses the command
 */
export async function executeOnOrganization(
  charter: Charter,
  id: string,
  command: OrganizationCommand,
  { done, unchanged }: CommandSentences,
  made: string = id,
): Promise<CommandAnswer> {
  const receipt = await commandLineCommands(charter).execute(id, command, commandLineContext());
  const { events, revision } = receipt;
  const text =
    events.length > 0
      ? `${done} The organization is at revision ${revision}.`
      : `${unchanged} Nothing was written; the revision is ${revision}.`;
  return { text, json: receiptDocument(made, receipt) };
}
