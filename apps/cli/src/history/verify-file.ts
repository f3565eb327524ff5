import { ALL_STREAMS, type ExportSummary, readExportSummary, type ExportFlaw, ImportRefused } from '@charter/integrity';
import type { CommandAnswer } from '../terminal/command-answer';
import { linesOfFile } from '../stores/log-import';
import type { ActionContext } from '../terminal/action-runner';
import { countText } from '../terminal/amounts';
import { withoutControlCharacters } from '../terminal/table';
import { namedHash } from './export-hash';

/**
 * Verifies a file that `export` wrote. Needs no store.
 * @param key the public key from a trusted source; without it, the command cannot know who signed the file
 */
export async function verifyFile(
  file: string,
  key: string | undefined,
  context: ActionContext,
): Promise<CommandAnswer> {
  const closing = await readExportSummary(linesOfFile(file, context)).catch((error: unknown) => {
    if (error instanceof ImportRefused) return error.flaw;
    throw error;
  });
  if ('reason' in closing) return flawed(file, closing);
  const { events, streams, head, signed } = closing;
  if (key !== undefined && signed?.key !== key) {
    const reason = signed ? `it was signed with another key, ${signed.key}` : 'it was never signed';
    return flawed(file, { reason: reason });
  }
  const trusted = key !== undefined;
  const counted = `${countText(events, 'event')} of ${countText(streams, 'stream')}`;
  return {
    text: `Verified: ${counted}, ${namedHash(closing)}.\n${spokenTrust(signed, trusted)}`,
    json: { ok: true, events, head, trusted, streams, signed: signed ? said(signed) : null },
  };
}

type Signed = NonNullable<ExportSummary['signed']>;

const said = ({ checkpoint: { store, covers, position, at }, key }: Signed) => ({ key, store, covers, position, at });

function spokenTrust(signed: Signed | undefined, trusted: boolean): string {
  if (!signed) return 'The file was never signed, so any person may have written it.';
  const { at, covers } = signed.checkpoint;
  const when = withoutControlCharacters(`Signed at ${at}, over ${covers}, with ${signed.key}`);
  const whose = trusted
    ? `${when}: the key that you gave.`
    : `${when}.\nTo check whose key this is, pass the key that you got from a trusted source with --key.`;
  return covers === ALL_STREAMS ? `${whose}\n${UNSIGNED}` : whose;
}

/** The parts of the export of a whole log that its signature does not cover. */
const UNSIGNED = 'The signature covers neither the order of events of different streams nor the checksum.';

function flawed(file: string, { line, stream, at, reason }: ExportFlaw): CommandAnswer {
  const hasOtherBeginning = line === 1 && at === undefined && !reason.endsWith('cut off');
  const where = [
    hasOtherBeginning ? `${file} does not begin like a file of charter export` : file,
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(at === undefined ? [] : [`revision ${at}${stream ? ` of ${stream}` : ''}`]),
  ];
  return {
    text: withoutControlCharacters(`Not verified: ${where.join(', ')}: ${reason.replace(/\.$/, '')}.`),
    json: { ok: false, at: at ?? null, reason, ...(line && { line }), ...(stream && { stream }), trusted: false },
    ok: false,
  };
}
