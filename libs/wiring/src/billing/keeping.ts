import { dismissed, type Fact, type Outcome, type Translated } from '@charter/billing';
import type { BillingMessage, MessageState } from '@charter/documents';
import { apply, type Applying, othersOf, told } from './applying';
import { handleOf, type NamedMessage } from './named';
import { newMessage } from './reading';

export type StoredMessage = BillingMessage<Fact>;

/** What became of a message, for whoever sent it. */
export type Taken = Readonly<{ outcome: Outcome; reason?: string; detail?: string }>;

export type BillingNeeds = Applying &
  Readonly<{
    /** A message has come to wait in the quarantine. */
    alarm: (message: StoredMessage, reason: string) => void;
  }>;

/** What is done with messages of payment providers, over HTTP and from the command line. */
export type BillingKeeping = Readonly<{
  /** Stores a message that is proven, applies it, and says what became of it. @throws what `apply` throws: it comes again */
  take: (translated: Translated, raw: string) => Promise<Taken>;
  /** Goes on with those that were received and never settled; answers with how many it looked at. */
  goOn: (stopping: () => boolean) => Promise<number>;
  /** Applies again what waits. Undefined: there is no such message; `was` says what it is when it does not wait. */
  replay: (named: NamedMessage) => Promise<(Taken & Readonly<{ was: MessageState }>) | undefined>;
  /** Somebody says that it is not to be applied: nothing of it is told, but what the rest of its subscription needs. */
  dismiss: (named: NamedMessage, reason: string) => Promise<MessageState | undefined>;
  /** Applies what waited for a customer of this organization; answers with how many were tried. */
  linked: (organization: string) => Promise<number>;
}>;

/** Whoever received a message is done with it within this time, or has died. */
const UNDER_WAY_MS = 30_000;
/** What Stripe gave no answer about is looked at again, after twice as long each time; then the order of rule 24 stays. */
const LOOK_AGAIN_MS = 60_000;
const LOOKS_MAX = 8;
const TOGETHER = 100;

export function billingKeeping(needs: BillingNeeds): BillingKeeping {
  const { alarm, now } = needs;
  const { inbox } = needs.documents;
  const underWay = new Map<string, Promise<Taken>>();
  let isFirstLook = true;

  const settle = async (message: StoredMessage, isFirstTime: boolean): Promise<Taken> => {
    if (!isFirstTime) await inbox.attempt(message);
    const { settlement, isUnsure } = await apply(needs, message);
    const { state, reason = null, detail = null } = settlement;
    const staysOpen = isUnsure && state !== 'quarantined' && message.attempts + 1 < LOOKS_MAX;
    if (!staysOpen) await inbox.settle(message, settlement, now());
    if (state === 'quarantined' && message.state !== 'quarantined') alarm(message, reason!);
    return takenAs({ ...message, state, reason, detail });
  };

  /** Twins of one message wait for the first, and are told that it was here before. */
  const once = async (named: NamedMessage, work: () => Promise<Taken>): Promise<Taken> => {
    const name = handleOf(named);
    const first = underWay.get(name);
    if (first) return first.then(() => ({ outcome: 'repeated' }));
    const mine = work().finally(() => underWay.delete(name));
    underWay.set(name, mine);
    return mine;
  };
  const onceMore = (message: StoredMessage) => once(message, () => settle(message, false));

  /** What waits is tried again; of what is settled it is said what it is. */
  const again = async (named: NamedMessage) => {
    const message = await inbox.find<Fact>(named);
    if (!message) return undefined;
    if (!isOpen(message)) return { ...takenAs(message), was: message.state };
    return { ...(await onceMore(message)), was: message.state };
  };

  return {
    take: (translated, raw) =>
      once(translated.head, async () => {
        const { isNew, message } = await inbox.receive<Fact>(newMessage(translated, raw), now());
        // What was received and never settled comes again, because whoever was at it died or told the sender to.
        return message.state === 'received' ? settle(message, isNew) : { outcome: 'repeated' };
      }),
    goOn: async (stopping) => {
      const found = await inbox.unsettled<Fact>(now() - (isFirstLook ? 0 : UNDER_WAY_MS), TOGETHER);
      isFirstLook = false;
      const due = found.filter((message) => Date.parse(message.received) + pauseAfter(message.attempts) <= now());
      for (const message of due) if (!stopping()) await onceMore(message);
      return due.length;
    },
    replay: again,
    dismiss: async (named, reason) => {
      await underWay.get(handleOf(named))?.catch(() => undefined);
      const message = await inbox.find<Fact>(named);
      if (message?.state !== 'quarantined') return message?.state;
      if (message.fact) {
        const fact = dismissed(message.fact, new Date(now()).toISOString());
        await inbox.learn(message, { organization: message.organization, fact });
        await told(needs, fact, await othersOf(needs, fact));
      }
      await inbox.settle(message, { state: 'dismissed', reason: 'dismissed', detail: reason }, now());
      return 'dismissed';
    },
    linked: async (organization) => {
      const waiting = (await inbox.ofOrganization<Fact>(organization)).filter(
        (message) => isOpen(message) && message.fact?.organization === undefined,
      );
      for (const message of waiting) await again(message); // dismissed meanwhile, it is not applied
      return waiting.length;
    },
  };
}

const isOpen = ({ state }: StoredMessage) => state === 'quarantined' || state === 'received';

const pauseAfter = (attempts: number) => (attempts === 0 ? 0 : LOOK_AGAIN_MS * 2 ** (attempts - 1));

const takenAs = ({ state, reason, detail }: Pick<StoredMessage, 'state' | 'reason' | 'detail'>): Taken => ({
  outcome: outcomeFor[state],
  ...(reason !== null && { reason }),
  ...(detail !== null && { detail }),
});

const outcomeFor: Readonly<Record<MessageState, Outcome>> = {
  received: 'repeated',
  applied: 'applied',
  overtaken: 'overtaken',
  ignored: 'ignored',
  quarantined: 'quarantined',
  dismissed: 'ignored',
};
