import type { Database } from '@charter/database';
import { contentOf, type EventLog, type StoredEvent } from '@charter/event-log';
import {
  eventFlaw,
  type OrganizationEvent,
  organizationIdOf,
  organizationStream,
  organizationStreamPrefix,
} from '@charter/organization';
import { type LogBookmark, eventsSinceBookmark } from '../restore-detection/events-since';

type Stores = Readonly<{ log: EventLog; database: Pick<Database, 'customers' | 'marks'> }>;

const CUSTOMERS: LogBookmark = { mark: 'customers-follow', streams: [organizationStreamPrefix] };

export type ReplayedCustomerLinks = Readonly<{
  /**
   * The organizations that have linked a customer since the last replay. Messages about a newly linked customer may be
   * waiting for the link.
   */
  organizations: readonly string[];
  /** The number of linked customers that the tables did not contain. */
  unknown: number;
  /** Moves the bookmark in the log, so that the next replay begins after the links that this replay has read. */
  moveBookmark: () => Promise<void>;
}>;

/**
 * Corrects the table that assigns customers of payment providers to organizations. After a restore or a crash, the
 * table of customers may differ from the log. Reads the events since the last replay. Claims each customer that an
 * organization has linked. Releases a customer if its organization has since linked another customer.
 */
export async function replayCustomerLinks({ log, database }: Stores, now: number): Promise<ReplayedCustomerLinks> {
  const { events, moveBookmark } = await eventsSinceBookmark({ log, database }, Number.POSITIVE_INFINITY, CUSTOMERS);
  const { customers } = database;
  const linked = new Map<string, Linked>();
  for await (const event of events) {
    const link = linkIn(event);
    if (!link) continue;
    const organization = organizationIdOf(event.stream);
    linked.set(JSON.stringify([organization, link.provider]), { organization, ...link });
  }
  for (const link of linked.values())
    if ((await claimedCustomers(database, link)).some((customer) => customer !== link.customer))
      await releaseFormerCustomers(database, link, await linkedCustomers(log, link));
  let unknown = 0;
  for (const { organization, provider, customer } of linked.values())
    if ((await customers.claim(provider, customer, organization, now)) === 'new') unknown += 1;
  const organizations = [...new Set([...linked.values()].map(({ organization }) => organization))];
  return { organizations, unknown, moveBookmark };
}

/**
 * The customer that the event links; undefined for other events and for invalid data. After an event with invalid data,
 * the projector parks the organization until an operator acts.
 */
function linkIn(stored: StoredEvent) {
  const event = { type: stored.type, data: contentOf(stored)?.data } as OrganizationEvent;
  return event.type === 'BillingAccountLinked' && !eventFlaw(event) ? event.data : undefined;
}

type Account = Readonly<{ organization: string; provider: string }>;
type Linked = Account & Readonly<{ customer: string }>;

/**
 * Corrects the organization's claims at a provider after a link: claims the customer of the newest link in the stream,
 * and releases the customers of older links. Afterwards the claims are the same as after `replayCustomerLinks`. Another
 * request may link a customer of the organization meanwhile. So the function reads the stream again after each
 * correction, until the newest link is still the same.
 */
export async function settleCustomerLink({ log, database }: Stores, link: Linked, now: number): Promise<void> {
  const claimed = await claimedCustomers(database, link);
  if (claimed.length === 1 && claimed[0] === link.customer) return; // there was no former customer
  for (let linked = await linkedCustomers(log, link), newest = linked[0]; newest !== undefined;) {
    await releaseFormerCustomers(database, link, linked);
    await database.customers.claim(link.provider, newest, link.organization, now);
    linked = await linkedCustomers(log, link);
    if (linked[0] === newest) return;
    newest = linked[0];
  }
}

/**
 * The number of milliseconds after which a claim without a link in the log is abandoned: the event log was unavailable,
 * or the process that claimed the customer has crashed before it appended the event.
 */
const ABANDONED_MS = 60_000;

/**
 * Releases the claim on a customer if the claim is older than `ABANDONED_MS`, unless the organization linked this
 * customer last.
 */
export async function releaseAbandonedClaim(
  stores: Stores,
  { provider, customer }: Omit<Linked, 'organization'>,
  now: number,
): Promise<void> {
  const organization = await stores.database.customers.organizationOf(provider, customer);
  if (organization !== undefined)
    await releaseUnlessLinked(stores, { organization, provider, customer }, now - ABANDONED_MS);
}

/**
 * Releases the organization's claim on a customer, unless the organization linked this customer last.
 * @param until milliseconds since 1970; a newer claim stays
 */
export async function releaseUnlessLinked(
  { log, database: { customers } }: Stores,
  { organization, provider, customer }: Linked,
  until: number,
): Promise<void> {
  const [newest] = await linkedCustomers(log, { organization, provider });
  if (newest !== customer) await customers.takeBack(provider, customer, organization, until);
}

/**
 * Releases the claimed customers that the organization has linked before its newest customer.
 * @param linked from `linkedCustomers`. If `linked` does not name a claimed customer, a request is linking this
 * customer at this moment.
 */
async function releaseFormerCustomers(
  database: Stores['database'],
  account: Account,
  linked: readonly string[],
): Promise<void> {
  const former = linked.slice(1);
  for (const customer of await claimedCustomers(database, account))
    if (former.includes(customer)) await database.customers.takeBack(account.provider, customer, account.organization);
}

const claimedCustomers = async (
  { customers }: Stores['database'],
  { organization, provider }: Account,
): Promise<readonly string[]> =>
  (await customers.of(organization)).filter((one) => one.provider === provider).map(({ customer }) => customer);

/** All customers of a provider that the organization has ever linked, each once, beginning with the newest link. */
async function linkedCustomers(log: EventLog, { organization, provider }: Account): Promise<readonly string[]> {
  const linked = new Set<string>();
  for await (const event of log.readStream(organizationStream(organization), { direction: 'backwards' })) {
    const link = linkIn(event);
    if (link?.provider === provider) linked.add(link.customer);
  }
  return [...linked];
}
