import { existsSync } from 'node:fs';
import { organizationIdOf } from '@charter/organization';
import {
  type ChainsReport,
  type Charter,
  documentDiffersMessage,
  verifyAllChains,
  verifyOrganization,
  verifyReadModels,
} from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { fileFlaws } from '../stores/sqlite-file-check';
import { CommandDeclined } from '../terminal/problem';
import { refuseUnknownOrganization } from '../organizations/unknown-organization';
import { countText } from '../terminal/amounts';
import { table } from '../terminal/table';
import { historyProgress } from './history-progress';
import { filePath, isOrganization, organizationId, publicKey } from '../terminal/argument-values';
import { verifyFile } from './verify-file';

export function addVerify(program: Command, { withoutStores, withStores }: ActionRunner): void {
  program
    .command('verify')
    .argument('[ID or FILE]', 'an organization, or a file that `export` wrote', filePath)
    .description(
      'verify the hash chain of an organization, or all chains, compare the read model, and check the stores; ' +
        'or verify an exported file, without stores and settings',
    )
    .option('--all', 'all organizations, accounts and keys, and the files of the stores')
    .option('--key <key>', 'the public key that must have made the signature, from a trusted source', publicKey)
    .action((what: string | undefined, { all, key }: { all?: true; key?: string }, command: Command) => {
      if ((what === undefined) === (all === undefined)) command.error('error: name one organization or file, or --all');
      if (what !== undefined && !isOrganization(what))
        return withoutStores((context) => verifyFile(existing(what), key, context));
      return withStores(
        (charter, context) =>
          what === undefined ? everything(charter, context, key) : one(charter, context, organizationId(what), key),
        'proves',
      );
    });
}

/** @throws CommandDeclined if there is no such file: the operator may have written the name of an organization */
function existing(file: string): string {
  if (file.includes('/') || existsSync(file)) return file;
  throw new CommandDeclined(
    'no-file',
    404,
    `${file} is neither a file nor the id of an organization. Run charter organization list to print the ids.`,
  );
}

async function one(
  charter: Charter,
  context: ActionContext,
  id: string,
  key: string | undefined,
): Promise<CommandAnswer> {
  const show = await historyProgress(charter, context, id);
  const verdict = await verifyOrganization(charter, id, context.signal, show);
  if (!verdict) refuseUnknownOrganization(id);
  if (!verdict.ok) return notVerified([{ organization: id, at: verdict.at, reason: verdict.reason }], verdict);
  const { events, signed, readModel } = verdict;
  const stranger = strangerTo(charter, key, signed !== null);
  if (stranger) return notVerified([{ organization: id, ...stranger }], stranger);
  const trusted = key !== undefined && signed?.events === events;
  const text = `Verified: ${countText(events, 'event')} of ${id}, head ${verdict.head}.\n${spokenSigned(signed)}\n${spokenReadModel(readModel)}`;
  return { text, json: { ...verdict, trusted } };
}

/** Checks the files of the stores, then the hash chains, and then, if all of these are valid, the read model. */
async function everything(charter: Charter, context: ActionContext, key: string | undefined): Promise<CommandAnswer> {
  const { eventLog, eventStore, documents, documentsServer } = charter.settings;
  // database servers check their own files, so only embedded files are checked here
  const files = [...(eventStore ? [] : [eventLog]), ...(documentsServer ? [] : [documents])];
  const flaws = files.flatMap((file) => fileFlaws(file).map((reason) => ({ at: null, file, reason })));
  const chains: ChainsReport = await verifyAllChains(charter, (streams) => context.progress('streams', streams));
  const stranger = strangerTo(charter, key, chains.signed !== undefined);
  const isWhole = flaws.length + chains.broken.length === 0;
  const show = context.progress('documents', chains.organizations);
  const readModel = (isWhole ? await verifyReadModels(charter, show) : undefined) ?? null;
  const differences = (readModel?.differences ?? []).map(({ stream, why }) => {
    return { organization: organizationIdOf(stream), at: null, reason: documentDiffersMessage(why) };
  });
  const broken = [...flaws, ...chains.broken, ...differences, ...(stranger ? [stranger] : [])];
  if (broken.length > 0) return notVerified(broken, { at: broken[0]!.at, reason: broken[0]!.reason });
  const { organizations, trails, events, head } = chains;
  const signed = chains.signed ? { at: chains.signed.at, events: chains.signed.events } : null;
  const trusted = key !== undefined && signed?.events === events;
  const and = trails === 0 ? '' : ` and ${countText(trails, 'audit stream')}`;
  const counted = `${countText(events, 'event')} of ${countText(organizations, 'organization')}${and}`;
  return {
    text: `Verified: ${counted}, head ${head}.\n${spokenSigned(signed)}\n${spokenReadModel(readModel)}`,
    json: { ok: true, events, head, trusted, organizations, trails, signed, readModel },
  };
}

type Signed = Readonly<{ at: string; events: number }>;

const spokenSigned = (signed: Signed | null): string =>
  signed
    ? `The log equals the signed checkpoint of ${signed.at}, over ${countText(signed.events, 'event')}.`
    : "The log has no signature yet: only the read model can show whether the log's end was cut off. " +
      'A server signs in its first minutes and then every hour; to sign now: charter checkpoint sign';

const spokenReadModel = (readModel: object | null): string =>
  readModel ? 'The read model equals a replay.' : 'There is no read model of this log, so none was compared.';

/**
 * The reason why the public key that the operator passed does not verify the log. Undefined if the key verifies the
 * log, or if the operator passed no key.
 */
function strangerTo({ signer: { verifierKey } }: Charter, key: string | undefined, isSigned: boolean) {
  if (key === undefined || (isSigned && key === verifierKey)) return undefined;
  return { at: null, reason: isSigned ? `it was signed with another key, ${verifierKey}` : 'it was never signed' };
}

type Break = Readonly<{ organization?: string; stream?: string; file?: string; at: number | null; reason: string }>;

/** @param first the revision and the reason of the first failure */
const notVerified = (broken: readonly Break[], first: Pick<Break, 'at' | 'reason'>): CommandAnswer => ({
  text: `Not verified.\n\n${table(
    ['WHERE', 'REVISION', 'WHY'],
    broken.map(({ organization, stream, file, at, reason }) => [
      organization ?? stream ?? file ?? '-',
      String(at ?? '-'),
      reason,
    ]),
  )}`,
  json: { ...first, ok: false, broken },
  ok: false,
});
