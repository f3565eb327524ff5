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
  followed: () => Promise<void>;
}>;

/**
 * Corrects the table that assigns customers of payment providers to organizations. After a restore or a crash, the
 * table of customers may differ from the log. Reads the events since the last replay. Claims each customer that an
 * organization has linked. Releases a customer if its organization has since linked another customer.
 */
export async function replayCustomerLinks({ log, database }: Stores, now: number): Promise<ReplayedCustomerLinks> {
  const { events, followed } = await eventsSinceBookmark({ log, database }, Number.POSITIVE_INFINITY, CUSTOMERS);
  const { customers } = database;
  const linked = new Map<string, Linked>();
  for await (const event of events) {
    const link = linkIn(event);
    if (!link) continue;
    const organization = organizationIdOf(event.stream);
    linked.set(JSON.stringify([organization, link.provider]), { organization, ...link });
  }
  for (const { organization, provider, customer } of linked.values())
    for (const one of await customers.of(organization))
      if (one.provider === provider && one.customer !== customer && (await wasLinked(log, { organization, ...one })))
        await customers.takeBack(provider, one.customer, organization);
  let unknown = 0;
  for (const { organization, provider, customer } of linked.values())
    if ((await customers.claim(provider, customer, organization, now)) === 'new') unknown += 1;
  const organizations = [...new Set([...linked.values()].map(({ organization }) => organization))];
  return { organizations, unknown, followed };
}

/**
 * The customer that the event links; undefined for other events and for invalid data. After an event with invalid data,
 * the projector parks the organization until an operator acts.
 */
function linkIn(stored: StoredEvent) {
  const event = { type: stored.type, data: contentOf(stored)?.data } as OrganizationEvent;
  return event.type === 'BillingAccountLinked' && !eventFlaw(event) ? event.data : undefined;
}

type Linked = Readonly<{ organization: string; provider: string; customer: string }>;

/**
 * Whether the organization has ever linked the customer. If the log contains no link of the customer, a request is
 * linking the customer at this moment.
 */
async function wasLinked(log: EventLog, { organization, provider, customer }: Linked): Promise<boolean> {
  for await (const event of log.readStream(organizationStream(organization))) {
    const link = linkIn(event);
    if (link?.provider === provider && link.customer === customer) return true;
  }
  return false;
}
