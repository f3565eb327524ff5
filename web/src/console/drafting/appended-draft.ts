import { DRAFT_COMMANDS_MAX, draftAddress, type DraftCommand, hasEmailAddress } from '../draft/address/draft-address';
import { type DraftFlaw, readDraft } from '../draft/address/read-draft';

/**
 * The URL fragment of a draft after these commands were appended. If the draft cannot contain them, the result is the
 * reason.
 */
export async function appendedDraft(
  id: string,
  draft: string,
  added: readonly DraftCommand[],
): Promise<Readonly<{ draft: string }> | Readonly<{ flaw: DraftFlaw }>> {
  const reading = await readDraft(draft);
  if ('flaw' in reading && reading.flaw !== 'none') return reading;
  const commands = [...('commands' in reading ? reading.commands : []), ...added];
  if (commands.length > DRAFT_COMMANDS_MAX) return { flaw: 'too-many' };
  if (hasEmailAddress(JSON.stringify(added))) return { flaw: 'e-mail-address' };
  const address = await draftAddress(id, commands).catch(() => undefined); // fails only if the draft is too long
  if (address === undefined) return { flaw: 'too-long' };
  const { hash } = new URL(address, window.location.href);
  const again = await readDraft(hash);
  return 'flaw' in again ? again : { draft: hash };
}
