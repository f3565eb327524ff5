import { randomUUID } from 'node:crypto';
import { refuse } from '@charter/decider';
import { type Receipt, Refused, type Until } from '@charter/event-log';
import { organizationStream, type OrganizationEvent } from '@charter/organization';
import type { Charter } from '@charter/wiring';
import type { Command } from 'commander';
import type { Answer } from './answer';
import { byHand } from './by-hand';
import type { Doing } from './desk';
import { organizationPage } from './organization-page';
import { addList } from './organization-list';
import { nameOf, organizationId, until, uuid } from './values';

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
    .action((id: string, { asOf }: { asOf?: Until }) => doing.onStores((charter) => show(charter, id, asOf)));
  addList(organization, doing);
}

type FoundOptions = Readonly<{ name: string; owner?: string }>;

async function found({ organizations }: Charter, { name, owner }: FoundOptions): Promise<Answer> {
  const id = randomUUID();
  const data = { name, ...(owner && { owner }) };
  const receipt = await organizations.tell(organizationStream(id), { type: 'FoundOrganization', data }, byHand());
  return { text: `${name} is founded. Its id is ${id}.`, json: printedReceipt(id, receipt) };
}

/** The present from the stream itself, never from a read model that may trail; the past as it was answered then. */
async function show({ organizations, settings }: Charter, id: string, asOf?: Until): Promise<Answer> {
  const stream = organizationStream(id);
  const page = asOf
    ? await organizations.atRevision(stream, asOf).then((past) => {
        return past && organizationPage(id, past, 'moment' in asOf ? asOf.moment : past.at, settings);
      })
    : await organizations.look(stream, (present) => {
        return organizationPage(id, present, new Date().toISOString(), settings);
      });
  return page ?? unknown(id, asOf);
}

function unknown(id: string, asOf: Until | undefined): never {
  const then = asOf ? ' at that moment' : '';
  throw new Refused(refuse('no-such-organization', `There is no organization ${id}${then}.`));
}

/** A write as the interface prints it (`api.md`, Shapes). */
export const printedReceipt = (id: string, { revision, events }: Receipt<OrganizationEvent>) => ({
  id,
  revision,
  events: events.map(({ type, data }) => ({ type, data })),
});
