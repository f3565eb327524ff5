import type { Moment } from '@charter/decider';

/**
 * `received`: Charter has stored the message and has not applied it yet; the next process that reads the message
 * applies it. `quarantined`: an operator has to decide about the message. `dismissed`: an operator decided not to apply
 * the message. Only `received` and `quarantined` messages change their state; all other states are final.
 */
export const messageStates = ['received', 'applied', 'overtaken', 'ignored', 'quarantined', 'dismissed'] as const;

export type MessageState = (typeof messageStates)[number];

export const openStates = ['received', 'quarantined'] as const satisfies readonly MessageState[];

export type OpenState = (typeof openStates)[number];

/**
 * A message of a payment provider. `Fact` is the message's content; these tables store the content without interpreting
 * it.
 */
export type BillingMessage<Fact = unknown> = Readonly<{
  provider: string;
  /** The provider's id of the message, unique among all messages of this provider. */
  id: string;
  type: string;
  /** The time of the event that the message reports, according to the provider. */
  time: Moment;
  organization: string | null;
  customer: string | null;
  subscription: string | null;
  /** The content without personal data; null if Charter uses no part of the message. */
  fact: Fact | null;
  /** The text that the provider sent, possibly with names; null after Charter has erased the text. */
  raw: string | null;
  state: MessageState;
  /** Why the message waits, was ignored or was dismissed: a code in `reason`, a sentence in `detail`. */
  reason: string | null;
  detail: string | null;
  /** The number of attempts to apply the message, successful or not. */
  attempts: number;
  received: Moment;
  settled: Moment | null;
}>;

export type NewMessage<Fact> = Pick<
  BillingMessage<Fact>,
  'provider' | 'id' | 'type' | 'time' | 'organization' | 'customer' | 'subscription' | 'fact' | 'raw'
>;

/** The fact of a message, and the fields that the fact determines. */
export type MessageContent<Fact> = Pick<NewMessage<Fact>, 'organization' | 'customer' | 'subscription' | 'fact'>;

export type Settlement = Readonly<{
  /** If `received`, the message waits again like a new message, and a process applies it later. */
  state: MessageState;
  reason?: string | undefined;
  detail?: string | undefined;
  /** If true, deletes the raw text of the message. */
  forgets?: boolean | undefined;
}>;

/** The fact of a message, with the message's key and state. */
export type MessageFact<Fact = unknown> = Pick<BillingMessage, 'provider' | 'id' | 'state'> & Readonly<{ fact: Fact }>;

type Named = Pick<BillingMessage, 'provider' | 'id'>;

/** The messages of payment providers. The inbox stores each message once and never deletes a message. */
export type BillingInbox = Readonly<{
  /**
   * Stores a message before it is processed. The message is on disk when the promise resolves. If the message was
   * received before, returns the stored message.
   */
  receive<Fact>(
    message: NewMessage<Fact>,
    now: number,
  ): Promise<Readonly<{ isNew: boolean; message: BillingMessage<Fact> }>>;
  find<Fact>(named: Named): Promise<BillingMessage<Fact> | undefined>;
  /**
   * Stores the content that Charter now knows. Does not change the state of the message. Returns false and stores
   * nothing if the stored fact is not `before`, because another process has changed the fact meanwhile.
   */
  storeFact(named: Named, content: MessageContent<unknown>, before: unknown): Promise<boolean>;
  /** Counts an attempt to apply the message, before the attempt starts. */
  attempt(named: Named): Promise<void>;
  /**
   * Stores the outcome; returns false if another process has already settled the message. Deletes the raw text of an
   * ignored message, because no code reads it later.
   */
  settle(named: Named, settlement: Settlement, now: number): Promise<boolean>;
  /** The messages of one subscription, in the order of the provider's times, beginning with the oldest message. */
  ofSubscription<Fact>(provider: string, subscription: string): Promise<readonly MessageFact<Fact>[]>;
  /**
   * The messages that name the organization, and the messages that name one of its customers but no organization. Also
   * all messages of each subscription for which a message names the organization. The messages are in the order of the
   * provider's times, beginning with the oldest message.
   */
  ofOrganization<Fact>(organization: string): Promise<readonly MessageFact<Fact>[]>;
  /**
   * Messages that were received before a moment and are still in the state `received`, for example because a process
   * crashed. The oldest message comes first; the list begins after the message `behind`.
   */
  unsettled<Fact>(
    receivedBefore: number,
    limit: number,
    behind?: Pick<BillingMessage, 'received' | 'provider' | 'id'>,
  ): Promise<readonly BillingMessage<Fact>[]>;
  /** Lists messages, newest first. */
  list<Fact>(query: {
    state?: MessageState | undefined;
    before?: Readonly<{ received: Moment; provider: string; id: string }> | undefined;
    limit: number;
  }): Promise<readonly BillingMessage<Fact>[]>;
  /**
   * The number of messages in the state `received`, and the number of quarantined messages. The query reads only the
   * rows of received and quarantined messages.
   */
  countOpen(): Promise<Readonly<Record<OpenState, number>>>;
  /** Deletes the raw texts of an organization's or a customer's messages; returns their number. */
  forget(
    whose:
      Readonly<{ organization: string; receivedUntil?: Moment }> | Readonly<{ provider: string; customer: string }>,
  ): Promise<number>;
  /** Removes a name or address from all raw texts that contain it; returns the number of changed texts. */
  forgetMention(text: string): Promise<number>;
}>;
