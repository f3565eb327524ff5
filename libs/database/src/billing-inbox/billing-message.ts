import type { Moment } from '@charter/decider';

/**
 * `received`: stored and not yet applied; the next process that finds it applies it. `quarantined`: waits for an
 * operator. `dismissed`: an operator decided not to apply it. The other states are final.
 */
export const messageStates = ['received', 'applied', 'overtaken', 'ignored', 'quarantined', 'dismissed'] as const;

export type MessageState = (typeof messageStates)[number];

export const openStates = ['received', 'quarantined'] as const satisfies readonly MessageState[];

export type OpenState = (typeof openStates)[number];

/** A message of a payment provider. `Fact` is its content, which these tables store without interpreting it. */
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
  /** The content without personal data; null if Charter uses nothing of it. */
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
  /** `received`: a process will apply it. */
  state: MessageState;
  reason?: string | undefined;
  detail?: string | undefined;
  /** The raw text is not needed any more. */
  forgets?: boolean | undefined;
}>;

/** A message that says something, and what. */
export type MessageFact<Fact = unknown> = Pick<BillingMessage, 'provider' | 'id' | 'state'> & Readonly<{ fact: Fact }>;

export type Named = Pick<BillingMessage, 'provider' | 'id'>;

/** The messages of payment providers, each stored once and never deleted. */
export type BillingInbox = Readonly<{
  /**
   * Stores a message before anything else happens; on disk when this resolves. The one that is known, if it came
   * before.
   */
  receive<Fact>(
    message: NewMessage<Fact>,
    now: number,
  ): Promise<Readonly<{ isNew: boolean; message: BillingMessage<Fact> }>>;
  find<Fact>(named: Named): Promise<BillingMessage<Fact> | undefined>;
  /**
   * Stores what is now known of it: its organization, or the meaning of its prices. A settled message stays as it is.
   */
  learn(named: Named, known: Readonly<{ organization: string | null; fact: unknown }>): Promise<void>;
  /** Counts an attempt, before it is made. */
  attempt(named: Named): Promise<void>;
  /**
   * Stores the outcome; false if another process has settled the message for good. An ignored message also loses its
   * raw text, because nothing will read it.
   */
  settle(named: Named, settlement: Settlement, now: number): Promise<boolean>;
  /** The messages of one subscription, the oldest first by the provider's time. */
  ofSubscription<Fact>(provider: string, subscription: string): Promise<readonly MessageFact<Fact>[]>;
  /**
   * The messages of an organization: by its name, by a linked customer, and all others of the same subscriptions.
   * The oldest first by the provider's time.
   */
  ofOrganization<Fact>(organization: string): Promise<readonly MessageFact<Fact>[]>;
  /** Messages received before a moment and not settled, because a process crashed. The oldest first, after a cursor. */
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
  /** The number of messages that wait for an operator, and of those not settled. Reads no settled message. */
  countOpen(): Promise<Readonly<Record<OpenState, number>>>;
  /** Forgets the raw texts of what is about an organization or a customer; answers with how many. */
  forget(whose: Readonly<{ organization: string }> | Readonly<{ provider: string; customer: string }>): Promise<number>;
  /** Takes a text that names a person out of the raw texts that mention it; answers with how many these were. */
  forgetMention(text: string): Promise<number>;
}>;
