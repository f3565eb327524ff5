import type { Moment } from '@charter/decider';

/**
 * `received`: stored, and what it says not yet applied; whoever finds one goes on with it. `quarantined`: it waits for somebody.
 * `dismissed`: somebody said that it is not to be applied. The others are settled for good.
 */
export const messageStates = ['received', 'applied', 'overtaken', 'ignored', 'quarantined', 'dismissed'] as const;
export type MessageState = (typeof messageStates)[number];

/** A message of a payment provider. `Fact` is what it says, which these tables keep and do not understand. */
export type BillingMessage<Fact = unknown> = Readonly<{
  provider: string;
  /** Unique for its provider, for ever. */
  id: string;
  type: string;
  /** When the provider says it happened. */
  time: Moment;
  organization: string | null;
  customer: string | null;
  subscription: string | null;
  /** What it says, without anything personal; null when it says nothing that is used here. */
  fact: Fact | null;
  /** As it came; null once it was forgotten. It may hold names. */
  raw: string | null;
  state: MessageState;
  /** Why it waits, is ignored or was dismissed: a word to branch on, and a sentence. */
  reason: string | null;
  detail: string | null;
  /** How often it was applied, or tried to be. */
  attempts: number;
  received: Moment;
  settled: Moment | null;
}>;

export type NewMessage<Fact> = Pick<
  BillingMessage<Fact>,
  'provider' | 'id' | 'type' | 'time' | 'organization' | 'customer' | 'subscription' | 'fact' | 'raw'
>;

export type Settlement = Readonly<{
  state: Exclude<MessageState, 'received'>;
  reason?: string | undefined;
  detail?: string | undefined;
}>;

type Named = Pick<BillingMessage, 'provider' | 'id'>;

/** What payment providers said, once for each message, for ever. */
export type Inbox = Readonly<{
  /** Stores a message before anything else happens; on disk when this resolves. The one that is known, if it came before. */
  receive<Fact>(
    message: NewMessage<Fact>,
    now: number,
  ): Promise<Readonly<{ isNew: boolean; message: BillingMessage<Fact> }>>;
  find<Fact>(named: Named): Promise<BillingMessage<Fact> | undefined>;
  /** What it says by now: whom it is about, or what its prices name. Nothing of a settled one changes but what waits. */
  learn(named: Named, known: Readonly<{ organization: string | null; fact: unknown }>): Promise<void>;
  /** Counts an attempt, before it is made. */
  attempt(named: Named): Promise<void>;
  /** Says what became of it. Of what is ignored the raw text is forgotten: nothing will ever be read from it. */
  settle(named: Named, settlement: Settlement, now: number): Promise<void>;
  /** Of one subscription, the oldest first by the provider's time; those that say something. */
  ofSubscription<Fact>(provider: string, subscription: string): Promise<readonly BillingMessage<Fact>[]>;
  /**
   * Those about an organization: by name, by a customer that is linked to it, and all others of the same subscriptions.
   * The oldest first by the provider's time; those that say something.
   */
  ofOrganization<Fact>(organization: string): Promise<readonly BillingMessage<Fact>[]>;
  /** Received before then and never settled: whoever was at it died. The longest waiting first. */
  unsettled<Fact>(receivedBefore: number, limit: number): Promise<readonly BillingMessage<Fact>[]>;
  /** The newest first. */
  list<Fact>(wish: {
    state?: MessageState | undefined;
    before?: Readonly<{ received: Moment; provider: string; id: string }> | undefined;
    limit: number;
  }): Promise<readonly BillingMessage<Fact>[]>;
  /** How many there are in each state. */
  count(): Promise<Readonly<Record<MessageState, number>>>;
  /** Forgets the raw text of what is about an organization, a customer, or mentions a text; answers with how many. */
  forget(
    whose:
      | Readonly<{ organization: string }>
      | Readonly<{ provider: string; customer: string }>
      | Readonly<{ mentioning: string }>,
  ): Promise<number>;
}>;
