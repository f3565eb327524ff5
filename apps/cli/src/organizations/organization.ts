import { randomUUID } from 'node:crypto';
import type { Moment } from '@charter/decider';
import { Refused, type HistoryPoint } from '@charter/aggregates';
import { notFoundedYet, organizationStream } from '@charter/organization';
import { receiptDocument } from '@charter/organization-view';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import { ACCOUNT_ARGUMENT } from '../accounts/find-account';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import { commandLineCommands } from '../terminal/organization-commands';
import type { ActionRunner } from '../terminal/action-runner';
import { refuseUnknownOrganization } from './unknown-organization';
import { introduceIfNamedByAddress, memberNamed } from './member-named';
import { organizationPage } from './organization-page';
import { addList } from './organization-list';
import { parseMoment, organizationName, organizationId, parseUntil } from '../terminal/argument-values';

export function addOrganization(program: Command, doing: ActionRunner): void {
  const organization = program.command('organization').description('organizations, one by one');
  organization
    .command('found')
    .description('found an organization')
    .requiredOption('--name <name>', 'its name', organizationName)
    .option('--owner <account>', `the account that owns the organization: ${ACCOUNT_ARGUMENT}`)
    .action((options: FoundOptions) => doing.withStores((charter) => found(charter, options), 'may be founded'));
  organization
    .command('show')
    .argument('<ID>', 'its id', organizationId)
    .description('show an organization, its limits and features, and their reasons')
    .option('--as-of <R|T>', 'as recorded up to a revision, or up to a moment (ISO 8601)', parseUntil)
    .option('--valid <T>', 'the state in force at T, as recorded until now or until --as-of', parseMoment)
    .action((id: string, options: ShowOptions) => doing.withStores((charter) => show(charter, id, options)));
  addList(organization, doing);
}

type FoundOptions = Readonly<{ name: string; owner?: string }>;

async function found(charter: Charter, { name, owner: who }: FoundOptions): Promise<CommandAnswer> {
  const id = randomUUID();
  const owner = who === undefined ? undefined : await memberNamed(charter, who);
  const data = { name, ...(owner && { owner: owner.member }) };
  const command = { type: 'FoundOrganization', data } as const;
  const receipt = await commandLineCommands(charter).execute(id, command, commandLineContext());
  if (owner) await introduceIfNamedByAddress(charter, id, owner);
  return { text: `${name} is founded. Its id is ${id}.`, json: receiptDocument(id, receipt) };
}

type ShowOptions = Readonly<{ asOf?: HistoryPoint; valid?: Moment }>;

/** Reads the current state from the stream, because the read model may lag. */
async function show(charter: Charter, id: string, { asOf, valid }: ShowOptions): Promise<CommandAnswer> {
  const { organizations } = charter;
  const stream = organizationStream(id);
  if (!asOf && valid === undefined)
    return (
      (await organizations.query(stream, (now) => organizationPage(id, now, new Date().toISOString(), charter))) ??
      refuseUnknownOrganization(id)
    );
  const past = await organizations.replay(stream, { until: asOf, valid });
  const at = valid ?? (asOf && 'moment' in asOf ? asOf.moment : past?.at);
  const page = past && at !== undefined && organizationPage(id, past, at, charter);
  if (page) return page;
  const refusal = await organizations.query(stream, ({ state }) => (state.name === '' ? null : notFoundedYet(state)));
  if (refusal) throw new Refused(refusal);
  return refuseUnknownOrganization(id);
}
