import { dismissFact, type BillingFact, type MessageOutcome, type TranslatedMessage } from '@charter/billing';
import type { BillingMessage, MessageState } from '@charter/database';
import { organizationStream } from '@charter/organization';
import { type ApplyResult, applyMessage, type ApplyContext, otherFactsOf, applyFact } from './apply-messages';
import { handleOf, type MessageKey } from './message-handles';
import { newMessage } from './read-messages';

export type StoredMessage = BillingMessage<BillingFact>;

/** What became of a message, for whoever sent it. */
type MessageResult = Readonly<{ outcome: MessageOutcome; reason?: string; detail?: string }>;

export type BillingDependencies = ApplyContext &
  Readonly<{
    /** A message has come to wait in the quarantine. */
    alarm: (message: StoredMessage, reason: string) => void;
  }>;

/** What is done with messages of payment providers, over HTTP and from the command line. */
export type BillingService = Readonly<{
  /** Stores a message that is proven, applies it, and says what became of it. @throws what `apply` throws: it comes again */
  take: (translated: TranslatedMessage, raw: string) => Promise<MessageResult>;
  /** Goes on with those that were received and never settled; answers with how many it looked at. */
  goOn: (stopping: () => boolean) => Promise<number>;
  /** Applies again what waits. Undefined: there is no such message; `was` says what it is when it does not wait. */
  replay: (named: MessageKey) => Promise<(MessageResult & Readonly<{ was: MessageState }>) | undefined>;
  /**
   * Somebody says that it is not to be applied: nothing of it is told, but what the rest of its subscription needs. Of several
   * who say so at once the first one does it.
   * @param recorded writes down who does it, before it is done
   */
  dismiss: (named: MessageKey, reason: string, recorded: () => Promise<void>) => Promise<void>;
  /** Applies what waited for a customer of this organization; answers with how many were tried. */
  linked: (organization: string) => Promise<number>;
}>;

/** What became of a message, or what is left to do once nobody waits for it any more. */
type Done = MessageResult | (() => Promise<MessageResult>);

/** Whoever received a message is done with it within this time, or has died. */
const UNDER_WAY_MS = 30_000;
/**
 * What failed, or what Stripe gave no answer about, is looked at again, after twice as long each time but never longer than the
 * longest pause, and at once by whoever starts; what Stripe never answers about then stays as rule 24 orders it.
 */
const LOOK_AGAIN_MS = 60_000;
const PAUSE_MAX_MS = 10 * 60_000;
const LOOKS_MAX = 8;
const TOGETHER = 100;

export function billingService(needs: BillingDependencies): BillingService {
  const { alarm, now } = needs;
  const { inbox } = needs.documents;
  const underWay = new Map<string, Promise<Done>>();
  const notBefore = new Map<string, number>();
  let isFirstLook = true;

  /** It is settled last: if this dies before, the message comes again, and with it those that need not wait because of it. */
  const settle = async (message: StoredMessage, isFirstTime: boolean): Promise<Done> => {
    const attempts = message.attempts + (isFirstTime ? 0 : 1);
    notBefore.set(handleOf(message), now() + pauseAfter(attempts));
    if (!isFirstTime) await inbox.attempt(message);
    const { overtaken, ...applied } = await applyMessage(needs, message);
    if (overtaken.length === 0) return settleAs(message, applied);
    return async () => {
      for (const older of overtaken) {
        await othersAt(older);
        await again(older);
      }
      return settleAs(message, applied);
    };
  };

  const settleAs = async (message: StoredMessage, { settlement, isUnsure }: Omit<ApplyResult, 'overtaken'>) => {
    const { state, reason = null, detail = null } = settlement;
    const staysOpen = isUnsure && state !== 'quarantined' && message.attempts + 1 < LOOKS_MAX;
    if (!staysOpen) notBefore.delete(handleOf(message));
    if (!staysOpen || message.state !== 'received') {
      // What waited, and was told without an answer of Stripe's, is gone on with like one that came just now.
      const isSettled = await inbox.settle(message, staysOpen ? { state: 'received' } : settlement, now());
      if (!isSettled) return takenAs((await inbox.find<BillingFact>(message)) ?? message); // another process was first
    }
    if (state === 'quarantined' && message.state !== 'quarantined') alarm(message, reason!);
    return takenAs({ ...message, state, reason, detail });
  };

  const isClosed = async (organization: string | undefined): Promise<boolean> =>
    organization !== undefined &&
    (await needs.organizations.query(organizationStream(organization), ({ state }) => state.closed !== null));

  /**
   * Twins of one message wait for the first, and are told that it was here before. Nothing in here waits for another message:
   * two would wait for each other.
   */
  const once = async (named: MessageKey, work: () => Promise<Done>): Promise<MessageResult> => {
    const name = handleOf(named);
    const first = underWay.get(name);
    if (first) return first.then(() => ({ outcome: 'repeated' }));
    const mine = work().finally(() => underWay.delete(name));
    underWay.set(name, mine);
    const done = await mine;
    return typeof done === 'function' ? done() : done;
  };
  const othersAt = async (named: MessageKey): Promise<void> => {
    for (let theirs; (theirs = underWay.get(handleOf(named)));) await theirs.catch(() => undefined);
  };
  const onceMore = (message: StoredMessage) => once(message, () => settle(message, false));

  /** What waits is tried again; of what is settled it is said what it is. */
  const again = async (named: MessageKey) => {
    const message = await inbox.find<BillingFact>(named);
    if (!message) return undefined;
    if (!isOpen(message)) return { ...takenAs(message), was: message.state };
    return { ...(await onceMore(message)), was: message.state };
  };

  /** The first that are due, past any number that are not. */
  const dueBefore = async (received: number): Promise<readonly StoredMessage[]> => {
    for (let last: StoredMessage | undefined; ;) {
      const found = await inbox.unsettled<BillingFact>(received, TOGETHER, last);
      const due = found.filter((message) => (notBefore.get(handleOf(message)) ?? 0) <= now());
      if (due.length > 0 || found.length < TOGETHER) return due;
      last = found.at(-1);
    }
  };

  return {
    take: (translated, raw) =>
      once(translated.head, async () => {
        const { isNew, message } = await inbox.receive<BillingFact>(newMessage(translated, raw), now());
        // What was received and never settled comes again, because whoever was at it died or told the sender to.
        return message.state === 'received' ? settle(message, isNew) : { outcome: 'repeated' };
      }),
    goOn: async (stopping) => {
      const due = await dueBefore(now() - (isFirstLook ? 0 : UNDER_WAY_MS));
      isFirstLook = false;
      for (const message of due) if (!stopping()) await onceMore(message);
      return due.length;
    },
    replay: again,
    dismiss: async (named, reason, recorded) => {
      await othersAt(named);
      await once(named, async () => {
        const message = await inbox.find<BillingFact>(named);
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
        await othersAt(message); // who was at it may not have known of the link
        await again(message); // dismissed meanwhile, it is not applied
      }
      return waiting.length;
    },
  };
}

const isOpen = ({ state }: Pick<StoredMessage, 'state'>) => state === 'quarantined' || state === 'received';

const pauseAfter = (attempts: number) =>
  attempts === 0 ? 0 : Math.min(LOOK_AGAIN_MS * 2 ** (attempts - 1), PAUSE_MAX_MS);

const takenAs = ({ state, reason, detail }: Pick<StoredMessage, 'state' | 'reason' | 'detail'>): MessageResult => ({
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
