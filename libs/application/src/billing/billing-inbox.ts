import { dismissFact, type BillingFact, type MessageOutcome, type TranslatedMessage } from '@charter/billing';
import type { BillingMessage, MessageState } from '@charter/database';
import { organizationStream } from '@charter/organization';
import { type ApplyResult, applyMessage, type ApplyContext, otherFactsOf, applyFact } from './apply-messages';
import { handleOf, type MessageKey } from './message-handles';
import { newMessage } from './read-messages';

export type StoredMessage = BillingMessage<BillingFact>;

/** The outcome of a message for its sender. */
type MessageResult = Readonly<{ outcome: MessageOutcome; reason?: string; detail?: string }>;

export type BillingDependencies = ApplyContext &
  Readonly<{
    /** Called when a message goes to quarantine. */
    alarm: (message: StoredMessage, reason: string) => void;
  }>;

/** Receives messages of payment providers and applies them, over HTTP and from the command line. */
export type BillingService = Readonly<{
  /**
   * Stores a verified message and applies it.
   * @throws the errors of `applyMessage`; the sender must then deliver the message again
   */
  take: (translated: TranslatedMessage, raw: string) => Promise<MessageResult>;
  /** Applies stored messages that have no outcome yet; returns how many it tried. */
  goOn: (stopping: () => boolean) => Promise<number>;
  /** Applies a waiting message again. Undefined: the message does not exist. `was` is its state before. */
  replay: (key: MessageKey) => Promise<(MessageResult & Readonly<{ was: MessageState }>) | undefined>;
  /**
   * Dismisses a waiting message. Only the remaining messages of its subscription are applied. If several callers
   * dismiss it at the same time, only the first one has an effect.
   * @param recorded records the operator's decision before it takes effect
   */
  dismiss: (key: MessageKey, reason: string, recorded: () => Promise<void>) => Promise<void>;
  /** Applies the messages that waited for a customer of this organization. Returns how many it tried. */
  linked: (organization: string) => Promise<number>;
}>;

/** The outcome of a message, or the work that remains after other deliveries of this message may continue. */
type Done = MessageResult | (() => Promise<MessageResult>);

/** Milliseconds. A process stores the outcome of a message within this time, or it has crashed. */
const UNDER_WAY_MS = 30_000;
/**
 * Milliseconds. A message is tried again if it failed, or if Stripe did not answer about it. The pauses double up to
 * the longest one; the start of a process tries at once. After the last attempt the order of rule 24 is final.
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
   * The outcome of the message is stored last. After a crash the message is applied again, together with the messages
   * that it replaced.
   */
  const settle = async (message: StoredMessage, isFirstTime: boolean): Promise<Done> => {
    const attempts = message.attempts + (isFirstTime ? 0 : 1);
    notBefore.set(handleOf(message), now() + pauseAfter(attempts));
    if (!isFirstTime) await inbox.attempt(message);
    const { overtaken, ...applied } = await applyMessage(needs, message);
    if (overtaken.length === 0) return settleAs(message, applied);
    return async () => {
      for (const older of overtaken) {
        await waitForOthers(older);
        await replayOne(older);
      }
      return settleAs(message, applied);
    };
  };

  const settleAs = async (message: StoredMessage, { settlement, isUnsure }: Omit<ApplyResult, 'overtaken'>) => {
    const { state, reason = null, detail = null } = settlement;
    const staysOpen = isUnsure && state !== 'quarantined' && message.attempts + 1 < ATTEMPTS_MAX;
    if (!staysOpen) notBefore.delete(handleOf(message));
    if (!staysOpen || message.state !== 'received') {
      // A waiting message that was applied without Stripe's answer stays open, as a new message does.
      const isSettled = await inbox.settle(message, staysOpen ? { state: 'received' } : settlement, now());
      // Another process has stored an outcome first.
      if (!isSettled) return resultOf((await inbox.find<BillingFact>(message)) ?? message);
    }
    if (state === 'quarantined' && message.state !== 'quarantined') alarm(message, reason!);
    return resultOf({ ...message, state, reason, detail });
  };

  const isClosed = async (organization: string | undefined): Promise<boolean> =>
    organization !== undefined &&
    (await needs.organizations.query(organizationStream(organization), ({ state }) => state.closed !== null));

  /**
   * Runs the work once for each message: concurrent deliveries of it wait for the first one and get `repeated`. The
   * work must not wait for another message, because two messages could then wait for each other.
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

  /** Tries a waiting message again. For a message with an outcome, returns its state. */
  const replayOne = async (key: MessageKey) => {
    const message = await inbox.find<BillingFact>(key);
    if (!message) return undefined;
    if (!isOpen(message)) return { ...resultOf(message), was: message.state };
    return { ...(await retry(message)), was: message.state };
  };

  /** The first page that contains due messages; pages without due messages are skipped. */
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
        // A received message without an outcome is applied again: its process crashed, or answered with an error.
        return message.state === 'received' ? settle(message, isNew) : { outcome: 'repeated' };
      }),
    goOn: async (stopping) => {
      const due = await dueBefore(now() - (isFirstRun ? 0 : UNDER_WAY_MS));
      isFirstRun = false;
      for (const message of due) if (!stopping()) await retry(message);
      return due.length;
    },
    replay: replayOne,
    dismiss: async (key, reason, recorded) => {
      await waitForOthers(key);
      await once(key, async () => {
        const message = await inbox.find<BillingFact>(key);
        if (message?.state !== 'quarantined') return { outcome: 'repeated' };
        await recorded();
        if (message.fact) {
          const fact = dismissFact(message.fact, new Date(now()).toISOString());
          await inbox.learn(message, { organization: message.organization, fact });
          await applyFact(needs, fact, await otherFactsOf(needs, fact));
        }
        const forgets = await isClosed(message.fact?.organization);
        await inbox.settle(message, { state: 'dismissed', reason: 'dismissed', detail: reason, forgets }, now());
        return { outcome: 'ignored' };
      });
    },
    linked: async (organization) => {
      const waiting = (await inbox.ofOrganization<BillingFact>(organization)).filter(
        (message) => isOpen(message) && message.fact.organization === undefined,
      );
      for (const message of waiting) {
        await waitForOthers(message); // The attempt in progress may not know the link yet.
        await replayOne(message); // not applied if it was dismissed meanwhile
      }
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
  ...(detail !== null && { detail }),
});

const outcomeFor: Readonly<Record<MessageState, MessageOutcome>> = {
  received: 'repeated',
  applied: 'applied',
  overtaken: 'overtaken',
  ignored: 'ignored',
  quarantined: 'quarantined',
  dismissed: 'ignored',
};
