import { dismissFact, type BillingFact, type MessageOutcome, type TranslatedMessage } from '@charter/billing';
import type { BillingMessage, MessageState } from '@charter/database';
import { organizationStream } from '@charter/organization';
import { type ApplyResult, applyMessage, type ApplyContext, otherFactsOf, applyFact } from './apply-messages';
import { handleOf, type MessageKey } from './message-handles';
import { newMessage } from './read-messages';

export type StoredMessage = BillingMessage<BillingFact>;

/** The outcome of a message, as its sender gets it. */
type MessageResult = Readonly<{ outcome: MessageOutcome; reason?: string; detail?: string }>;

export type BillingDependencies = ApplyContext &
  Readonly<{
    /** A message went to quarantine. */
    alarm: (message: StoredMessage, reason: string) => void;
  }>;

/** Receives and settles messages of payment providers, over HTTP and from the command line. */
export type BillingService = Readonly<{
  /**
   * Stores a verified message and applies it. @throws the errors of `applyMessage`; the sender must deliver it again
   */
  take: (translated: TranslatedMessage, raw: string) => Promise<MessageResult>;
  /** Continues with received messages that were never settled; returns how many it tried. */
  goOn: (stopping: () => boolean) => Promise<number>;
  /** Applies a waiting message again. Undefined: there is no such message. `was`: its state before. */
  replay: (key: MessageKey) => Promise<(MessageResult & Readonly<{ was: MessageState }>) | undefined>;
  /**
   * Dismisses a waiting message. Only what the rest of its subscription needs is applied. Of several concurrent callers
   * the first one does it.
   * @param recorded records the operator's decision before it is executed
   */
  dismiss: (key: MessageKey, reason: string, recorded: () => Promise<void>) => Promise<void>;
  /** Applies the messages that waited for a customer of this organization; returns how many it tried. */
  linked: (organization: string) => Promise<number>;
}>;

/** The outcome of a message, or the remaining work after twins of the message may continue. */
type Done = MessageResult | (() => Promise<MessageResult>);

/** A process that received a message settles it within this time, or has died. */
const UNDER_WAY_MS = 30_000;
/**
 * Failed messages, and those about which Stripe gave no answer, are tried again after pauses that double up to the
 * longest one, and immediately when a process starts. After the last attempt the order of rule 24 stays.
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

  /** Settles the message last, so that after a crash it is delivered again together with the messages it overtook. */
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
      // A waiting message that was applied without Stripe's answer stays open, like a message that has just arrived.
      const isSettled = await inbox.settle(message, staysOpen ? { state: 'received' } : settlement, now());
      // Another process settled it first.
      if (!isSettled) return resultOf((await inbox.find<BillingFact>(message)) ?? message);
    }
    if (state === 'quarantined' && message.state !== 'quarantined') alarm(message, reason!);
    return resultOf({ ...message, state, reason, detail });
  };

  const isClosed = async (organization: string | undefined): Promise<boolean> =>
    organization !== undefined &&
    (await needs.organizations.query(organizationStream(organization), ({ state }) => state.closed !== null));

  /**
   * Runs the work once for each message: twins wait for the first one and get `repeated`. The work must not wait for
   * another message, because two could wait for each other.
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

  /** Tries a waiting message again; for a settled one it returns the state. */
  const replayOne = async (key: MessageKey) => {
    const message = await inbox.find<BillingFact>(key);
    if (!message) return undefined;
    if (!isOpen(message)) return { ...resultOf(message), was: message.state };
    return { ...(await retry(message)), was: message.state };
  };

  /** The first page with due messages; pages without any are skipped. */
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
        // A received message without settlement is delivered again: its process died, or answered with an error.
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
        await waitForOthers(message); // an attempt in progress may not know the link
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
