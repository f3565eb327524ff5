import {
  dismissFact,
  overtakes,
  type BillingFact,
  type MessageOutcome,
  type TranslatedMessage,
} from '@charter/billing';
import type { BillingMessage, MessageState } from '@charter/database';
import { momentAt } from '@charter/decider';
import { organizationStream } from '@charter/organization';
import { type ApplyResult, applyMessage, type ApplyContext, otherFactsOf, applyFact } from './apply-messages';
import { handleOf, type MessageKey } from './message-handles';
import { contentOfMessage, newMessage } from './read-messages';

export type StoredMessage = BillingMessage<BillingFact>;

/** The outcome of a message. The sender of a message gets the message's outcome as the answer. */
type MessageResult = Readonly<{ outcome: MessageOutcome; reason?: string; detail?: string }>;

export type BillingDependencies = ApplyContext &
  Readonly<{
    /** Called when a message goes to quarantine. */
    alarm: (message: StoredMessage, reason: string) => void;
  }>;

/** Receives and applies messages of payment providers, for HTTP and the command line. */
export type BillingService = Readonly<{
  /**
   * Stores a verified message and applies it.
   * @throws the errors of `applyMessage`; the sender must then deliver the message once more
   */
  take: (translated: TranslatedMessage, raw: string) => Promise<MessageResult>;
  /** Applies the stored messages that have no outcome and whose next attempt is due. Returns their number. */
  applyDue: (stopping: () => boolean) => Promise<number>;
  /**
   * Applies a `received` or `quarantined` message again. Undefined if the message does not exist. `was` is the
   * message's state before the call.
   */
  replay: (key: MessageKey) => Promise<(MessageResult & Readonly<{ was: MessageState }>) | undefined>;
  /**
   * Dismisses a waiting message (`dismissFact`). If several callers dismiss the message at the same time, only the
   * first call has an effect.
   * @param recorded called before the dismissal takes effect, to record the operator's decision
   */
  dismiss: (key: MessageKey, reason: string, recorded: () => Promise<void>) => Promise<void>;
  /**
   * Applies the messages that waited until a customer was linked to this organization. Returns the number of applied
   * messages.
   * @throws the errors of `applyMessage`; `applyDue` then applies the messages later
   */
  applyLinked: (organization: string) => Promise<number>;
}>;

/**
 * The outcome of a message, or a function that does the remaining work for the message. The function runs outside of
 * `once`, because it waits for other messages.
 */
type Done = MessageResult | (() => Promise<MessageResult>);

/**
 * If no outcome of a message is stored after this many milliseconds, Charter assumes that the process that applied the
 * message has crashed.
 */
const UNDER_WAY_MS = 30_000;
/**
 * The pause after the second attempt to apply a message, in milliseconds. Charter repeats an attempt if the attempt
 * failed, or if Stripe did not answer. Each further pause is twice as long as the previous pause, up to `PAUSE_MAX_MS`.
 * A process that starts makes an attempt at once. After the last attempt, the order of the messages according to rule
 * 24 of `decisions.md` is final.
 */
const FIRST_PAUSE_MS = 60_000;
const PAUSE_MAX_MS = 10 * 60_000;
const ATTEMPTS_MAX = 8;
const PAGE = 100;

export function billingService(needs: BillingDependencies): BillingService {
  const { alarm, now } = needs;
  const { inbox } = needs.database;
  const underWay = new Map<string, Promise<Done>>();
  const notBefore = new Map<string, number>();
  let isFirstRun = true;

  /**
   * Applies a message and then stores its outcome. If the process crashes before it stores the outcome, another attempt
   * applies the message again, and also the messages that it replaces.
   */
  const settle = async (message: StoredMessage, isFirstTime: boolean): Promise<Done> => {
    const attempts = message.attempts + (isFirstTime ? 0 : 1);
    notBefore.set(handleOf(message), now() + pauseAfter(attempts));
    if (!isFirstTime) await inbox.attempt(message);
    const { overtaken, ...applied } = await applyMessage(needs, message);
    if (overtaken.length === 0) return settleAs(message, applied);
    return async () => {
      await replayAll(overtaken);
      return settleAs(message, applied);
    };
  };

  const settleAs = async (message: StoredMessage, { settlement, isUnsure }: Omit<ApplyResult, 'overtaken'>) => {
    const { state, reason = null, detail = null } = settlement;
    // Only Stripe can complete a partial message, so Charter puts it into the quarantine only after the last
    // attempt. A message that an operator replays gets at least one attempt by a server.
    const mayChange = state !== 'quarantined' || reason === 'more-items';
    const hasAttempts = message.state === 'quarantined' || message.attempts + 1 < ATTEMPTS_MAX;
    const staysOpen = isUnsure && mayChange && hasAttempts;
    if (!staysOpen) notBefore.delete(handleOf(message));
    if (!staysOpen || message.state !== 'received') {
      // A quarantined message that was applied without Stripe's answer becomes `received`, so that Charter makes more
      // attempts.
      const isSettled = await inbox.settle(message, staysOpen ? { state: 'received' } : settlement, now());
      // `isSettled` is false if another process has already stored an outcome.
      if (!isSettled) return resultOf((await inbox.find<BillingFact>(message)) ?? message);
    }
    if (state === 'quarantined' && message.state !== 'quarantined' && !staysOpen) alarm(message, reason!);
    return resultOf({ ...message, state, reason, detail });
  };

  const isClosed = async (organization: string | undefined): Promise<boolean> =>
    organization !== undefined &&
    (await needs.organizations.query(organizationStream(organization), ({ state }) => state.closed !== null));

  /**
   * Runs the work once for each message. If the message is delivered again meanwhile, the second delivery waits for the
   * first delivery and gets `repeated`. The work must not wait for another message, because two messages could then
   * wait for each other.
   */
  const once = async (key: MessageKey, work: () => Promise<Done>): Promise<MessageResult> => {
    const name = handleOf(key);
    const first = underWay.get(name);
    if (first) return first.then(() => ({ outcome: 'repeated' }));
    const own = work().finally(() => underWay.delete(name));
    underWay.set(name, own);
    const done = await own;
    return typeof done === 'function' ? done() : done;
  };
  const waitForOthers = async (key: MessageKey): Promise<void> => {
    for (let running; (running = underWay.get(handleOf(key)));) await running.catch(() => undefined);
  };
  const retry = (message: StoredMessage) => once(message, () => settle(message, false));

  /** Makes another attempt to apply a waiting message. If the message already has an outcome, returns this outcome. */
  const replayOne = async (key: MessageKey) => {
    const message = await inbox.find<BillingFact>(key);
    if (!message) return undefined;
    if (!isOpen(message)) return { ...resultOf(message), was: message.state };
    return { ...(await retry(message)), was: message.state };
  };

  const replayAll = async (messages: readonly MessageKey[]) => {
    for (const message of messages) {
      await waitForOthers(message);
      await replayOne(message);
    }
  };

  const dismissOne = async (...[key, reason, recorded]: Parameters<BillingService['dismiss']>): Promise<Done> => {
    const message = await inbox.find<BillingFact>(key);
    if (message?.state !== 'quarantined') return { outcome: 'repeated' };
    await recorded();
    let overtaken: readonly BillingFact[] = [];
    if (message.fact) {
      const fact = dismissFact(message.fact, momentAt(now()));
      // If another process has changed the fact meanwhile, the message may have left the quarantine.
      const isStored = await inbox.storeFact(message, contentOfMessage(fact), message.fact);
      if (!isStored) return dismissOne(key, reason, () => Promise.resolve());
      const others = await otherFactsOf(needs, fact);
      overtaken = others.filter((other) => overtakes(fact, other));
      await applyFact(needs, fact, others);
    }
    const forgets = await isClosed(message.fact?.organization);
    await inbox.settle(message, { state: 'dismissed', reason: 'dismissed', detail: reason, forgets }, now());
    return async () => {
      await replayAll(overtaken);
      return { outcome: 'ignored' };
    };
  };

  /** Returns the messages whose next attempt is due, from the first page that contains such messages. */
  const dueBefore = async (received: number): Promise<readonly StoredMessage[]> => {
    for (let last: StoredMessage | undefined; ;) {
      const found = await inbox.unsettled<BillingFact>(received, PAGE, last);
      const due = found.filter((message) => (notBefore.get(handleOf(message)) ?? 0) <= now());
      if (due.length > 0 || found.length < PAGE) return due;
      last = found.at(-1);
    }
  };

  return {
    take: (translated, raw) =>
      once(translated.head, async () => {
        const { isNew, message } = await inbox.receive<BillingFact>(newMessage(translated, raw), now());
        // A message has no outcome if it is new, or if an earlier attempt crashed or ended with an error.
        return message.state === 'received' ? settle(message, isNew) : { outcome: 'repeated' };
      }),
    applyDue: async (stopping) => {
      const due = await dueBefore(now() - (isFirstRun ? 0 : UNDER_WAY_MS));
      isFirstRun = false;
      for (const message of due) if (!stopping()) await retry(message);
      return due.length;
    },
    replay: replayOne,
    dismiss: async (key, reason, recorded) => {
      await waitForOthers(key);
      await once(key, () => dismissOne(key, reason, recorded));
    },
    applyLinked: async (organization) => {
      const waiting = (await inbox.ofOrganization<BillingFact>(organization)).filter(
        (message) => isOpen(message) && message.fact.organization === undefined,
      );
      for (const message of waiting) {
        await waitForOthers(message); // A running attempt may have begun before the customer was linked.
        // If this process crashes, or a store is unavailable, `applyDue` applies a `received` message later.
        await inbox.settle(message, { state: 'received' }, now());
      }
      for (const message of waiting) await replayOne(message); // does nothing if an operator has dismissed the message
      return waiting.length;
    },
  };
}

const isOpen = ({ state }: Pick<StoredMessage, 'state'>) => state === 'quarantined' || state === 'received';

const pauseAfter = (attempts: number) =>
  attempts === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), PAUSE_MAX_MS);

const resultOf = ({ state, reason, detail }: Pick<StoredMessage, 'state' | 'reason' | 'detail'>): MessageResult => ({
  outcome: outcomeFor[state],
  ...(reason !== null && { reason }),
  // The detail of a dismissed message is the operator's own text, which is not for the sender.
  ...(detail !== null && state !== 'dismissed' && { detail }),
});

const outcomeFor: Readonly<Record<MessageState, MessageOutcome>> = {
  received: 'repeated',
  applied: 'applied',
  overtaken: 'overtaken',
  ignored: 'ignored',
  quarantined: 'quarantined',
  dismissed: 'ignored',
};
