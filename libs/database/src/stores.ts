import type { Lease } from '@charter/projections';
import type { KeyStore, People } from '@charter/identity';
import type { AllOrNothing } from './transactions/all-or-nothing';
import { apiKeysIn, type Changes, type Hot } from './api-keys/api-keys';
import { type Attempts, attemptsIn } from './rate-limit-counters';
import { type Customers, customersIn } from './billing-inbox/customers';
import { type Inbox, inboxIn } from './billing-inbox/inbox';
import type { LeaseOptions } from './leases';
import { type Mails, mailsIn } from './outbox/mails';
import { type Marks, marksIn } from './installation-marks';
import { isOnServer } from './dialect';
import { peopleIn } from './people/people';
import { nowIn } from './database-clock';
import { type Receipts, receiptsIn } from './idempotency/idempotency-records';
import type { Tables } from './schema/schema';
import { type SignedHeads, signedHeadsIn } from './signed-heads';
import { openTables } from './sqlite/open-tables';
import { type TakenOver, takeOver } from './people/people-import';
import { type ViewShape, type ViewStore, viewStore } from './read-model/view-store';

/** Everything that is kept in tables. */
export type Documents = Readonly<{
  view<State>(shape: ViewShape<State>): ViewStore<State>;
  lease(name: string, options?: Partial<LeaseOptions>): Lease;
  receipts: Receipts;
  keys: KeyStore;
  people: People;
  attempts: Attempts;
  mails: Mails;
  marks: Marks;
  /** What payment providers said, and whose customers theirs are. */
  inbox: Inbox;
  customers: Customers;
  signedHeads: SignedHeads;
  /** Milliseconds since 1970, by the clock that all processes on these tables share; where one is alone, it is its own. */
  now?: () => Promise<number>;
  /**
   * Copies people, keys, receipts and mails from a documents file, once. Nothing is changed there but its shape, where that is
   * an older one. @throws StoreRefused
   */
  takeOver(file: string): Promise<TakenOver>;
  /** Why nothing is stored here any more, until a restart. */
  lost?: () => string | undefined;
  close(): Promise<void>;
}>;

/** What is different in each database. */
export type Ways = Readonly<{
  lease: (name: string, options: Partial<LeaseOptions>) => Lease;
  /** Who commits what is projected; unless said otherwise, the tables' own connection. */
  allOrNothing?: AllOrNothing | undefined;
  /** Connections for projections, so that no request waits for them; unless said otherwise, the same. */
  projected?: Tables;
  /** What only a database in this process can do: answer at once. */
  hot?: Hot;
  lost?: () => string | undefined;
  close: () => Promise<void>;
}>;

/** The stores over tables that are open, whichever database they are in. */
export function storesOver(
  tables: Tables,
  { lease, allOrNothing, projected = tables, hot, lost, close }: Ways,
): Documents {
  const keyChanges: Changes = { count: 0 };
  return {
    view: (shape) => viewStore(tables, shape, { askSync: hot?.askSync, allOrNothing, projected }),
    lease: (name, options = {}) => lease(name, options),
    receipts: receiptsIn(tables),
    keys: apiKeysIn(tables, hot, keyChanges),
    people: peopleIn(tables, hot, keyChanges),
    attempts: attemptsIn(tables),
    mails: mailsIn(tables),
    marks: marksIn(tables),
    inbox: inboxIn(tables),
    customers: customersIn(tables),
    signedHeads: signedHeadsIn(tables),
    ...(isOnServer(tables) && { now: () => nowIn(tables) }),
    takeOver: async (file) => {
      const { tables: from, close: leave } = await openTables(file);
      return takeOver(from, projected).finally(leave);
    },
    ...(lost && { lost }),
    close,
  };
}
