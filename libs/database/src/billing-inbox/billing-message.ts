import type { Moment } from '@charter/decider';

/**
 * `received`: stored, and what it says not yet applied; whoever finds one goes on with it. `quarantined`: it waits for somebody.
 * `dismissed`: somebody said that it is not to be applied. The others are settled for good.
 */
export const messageStates = ['received', 'applied', 'overtaken', 'ignored', 'quarantined', 'dismissed'] as const;

export type MessageState = (typeof messageStates)[number];

export const openStates = ['received', 'quarantined'] as const satisfies readonly MessageState[];

export type OpenState = (typeof openStates)[number];

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
  /** `received`: somebody goes on with it. */
  state: MessageState;
  reason?: string | undefined;
  detail?: string | undefined;
  /** The raw text is not needed any more. */
  forgets?: boolean | undefined;
}>;

/** A message that says something, and what. */
export type MessageFact<Fact = unknown> = Pick<BillingMessage, 'provider' | 'id' | 'state'> & Readonly<{ fact: Fact }>;

export type Named = Pick<BillingMessage, 'provider' | 'id'>;

/** What payment providers said, once for each message, for ever. */
export type BillingInbox = Readonly<{
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
  /**
   * Says what became of it, unless somebody else has settled it for good: false. Of what is ignored the raw text is forgotten
   * too: nothing will ever be read from it.
   */
  settle(named: Named, settlement: Settlement, now: number): Promise<boolean>;
  /** What was said of one subscription, the oldest first by the provider's time. */
  ofSubscription<Fact>(provider: string, subscription: string): Promise<readonly MessageFact<Fact>[]>;
  /**
   * What was said about an organization: by name, by a customer that is linked to it, and all else of the same subscriptions.
   * The oldest first by the provider's time.
   */
  ofOrganization<Fact>(organization: string): Promise<readonly MessageFact<Fact>[]>;
  /** Received before then and never settled: whoever was at it died. The longest waiting first, those behind a place. */
  unsettled<Fact>(
    receivedBefore: number,
    limit: number,
    behind?: Pick<BillingMessage, 'received' | 'provider' | 'id'>,
  ): Promise<readonly BillingMessage<Fact>[]>;
  /** The newest first. */
  list<Fact>(wish: {
    state?: MessageState | undefined;
    before?: Readonly<{ received: Moment; provider: string; id: string }> | undefined;
    limit: number;
  }): Promise<readonly BillingMessage<Fact>[]>;
  /** How many wait for somebody, and how many are not settled yet. Those that are settled, of which there are many, are not read. */
  countOpen(): Promise<Readonly<Record<OpenState, number>>>;
  /** Forgets the raw texts of what is about an organization or a customer; answers with how many. */
  forget(whose: Readonly<{ organization: string }> | Readonly<{ provider: string; customer: string }>): Promise<number>;
  /** Takes a text that names a person out of the raw texts that mention it; answers with how many these were. */
  forgetMention(text: string): Promise<number>;
}>;
