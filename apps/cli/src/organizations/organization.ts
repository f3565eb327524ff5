import { randomUUID } from 'node:crypto';
import { type Moment, refuse } from '@charter/decider';
import { type Receipt, Refused, type Until } from '@charter/aggregates';
import { organizationStream, type OrganizationEvent } from '@charter/organization';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { Answer } from '../terminal/command-answer';
import { byHand } from '../terminal/command-line-context';
import type { Doing } from '../terminal/action-runner';
import { organizationPage } from './organization-page';
import { addList } from './organization-list';
import { moment, nameOf, organizationId, until, uuid } from '../terminal/argument-values';

export function addOrganization(program: Command, doing: Doing): void {
  const organization = program.command('organization').description('organizations, one by one');
  organization
    .command('found')
    .description('found an organization')
    .requiredOption('--name <name>', 'what it is called', nameOf)
    .option('--owner <uuid>', 'who owns it: the id of a user', uuid)
    .action((wish: FoundOptions) => doing.onStores((charter) => found(charter, wish), 'may be founded'));
  organization
    .command('show')
    .argument('<ID>', 'its id', organizationId)
    .description('show an organization, what it may use, and why')
    .option('--as-of <R|T>', 'as it was recorded by a revision, or by a moment (ISO 8601)', until)
    .option('--valid <T>', 'what was in force at this moment, by all that is recorded or was by --as-of', moment)
    .action((id: string, options: ShowOptions) => doing.onStores((charter) => show(charter, id, options)));
  addList(organization, doing);
}

type FoundOptions = Readonly<{ name: string; owner?: string }>;

async function found({ organizations }: Charter, { name, owner }: FoundOptions): Promise<Answer> {
  const id = randomUUID();
  const data = { name, ...(owner && { owner }) };
  const receipt = await organizations.tell(organizationStream(id), { type: 'FoundOrganization', data }, byHand());
  return { text: `${name} is founded. Its id is ${id}.`, json: printedReceipt(id, receipt) };
}

type ShowOptions = Readonly<{ asOf?: Until; valid?: Moment }>;

/** The present from the stream itself, never from a read model that may trail; the past as it was answered then. */
async function show({ organizations, settings }: Charter, id: string, { asOf, valid }: ShowOptions): Promise<Answer> {
  const stream = organizationStream(id);
  if (!asOf && valid === undefined)
    return (
      (await organizations.look(stream, (now) => organizationPage(id, now, new Date().toISOString(), settings))) ??
      unknown(id)
    );
  const past = await organizations.past(stream, { until: asOf, valid });
  const at = valid ?? (asOf && 'moment' in asOf ? asOf.moment : past?.at);
  return (past && at !== undefined && organizationPage(id, past, at, settings)) || unknown(id, ' at that moment');
}

function unknown(id: string, then = ''): never {
  throw new Refused(refuse('no-such-organization', `There is no organization ${id}${then}.`));
}

/** A write as the interface prints it (`api.md`, Shapes). */
export const printedReceipt = (id: string, { revision, events }: Receipt<OrganizationEvent>) => ({
  id,
  revision,
  events: events.map(({ type, data }) => ({ type, data })),
});
