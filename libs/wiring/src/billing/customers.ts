import type { Documents } from '@charter/documents';
import type { EventLog } from '@charter/event-log';
import { type OrganizationEvent, organizationOf, organizationStreams } from '@charter/organization';
import { type Following, toldSince } from '../since';

type Stores = Readonly<{ log: EventLog; documents: Pick<Documents, 'customers' | 'marks'> }>;

const CUSTOMERS: Following = { mark: 'customers-follow', streams: [organizationStreams] };

/**
 * Claims again which customers the log says are linked, and frees those whose organization has linked another one since: because
 * an older copy of the tables was restored, or whoever was at it died. Reads what was told since the last time. Answers with the
 * organizations that a customer was claimed for, whose messages may wait for that.
 */
export async function followCustomers({ log, documents }: Stores, now: number): Promise<readonly string[]> {
  const { events, followed } = await toldSince({ log, documents }, Number.POSITIVE_INFINITY, CUSTOMERS);
  const { customers } = documents;
  const linked = new Map<string, Linked>();
  for await (const { stream, type, data } of events) {
    const event = { type, data } as OrganizationEvent;
    if (event.type !== 'BillingAccountLinked') continue;
    const { provider, customer } = event.data;
    const organization = organizationOf(stream);
    const key = JSON.stringify([organization, provider]);
    const { customer: before, former = [] } = linked.get(key) ?? {};
    linked.set(key, { organization, provider, customer, former: before === undefined ? [] : [...former, before] });
  }
  for (const { organization, provider, customer, former } of linked.values())
    for (const { provider: its, customer: one } of await customers.of(organization))
      if (its === provider && one !== customer && former.includes(one))
        await customers.takeBack(provider, one, organization);
  const claimed: string[] = [];
  for (const { organization, provider, customer } of linked.values())
    if ((await customers.claim(provider, customer, organization, now)) === 'new') claimed.push(organization);
  await followed();
  return claimed;
}

type Linked = Readonly<{ organization: string; provider: string; customer: string; former: readonly string[] }>;
