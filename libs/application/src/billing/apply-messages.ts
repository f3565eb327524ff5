import {
  withCurrentSubscription,
  commandsFor,
  type BillingFact,
  needsCurrentSubscription,
  outcomeOf,
  overtakes,
  rereadFact,
  type StripeOptions,
  type TranslatedMessage,
  quarantineReason,
} from '@charter/billing';
import type { BillingMessage, Database, Settlement } from '@charter/database';
import { Refused } from '@charter/aggregates';
import { momentAt } from '@charter/decider';
import { uuidv5 } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { Charter } from '../charter';
import type { OrganizationCommands } from '../organizations/organization-commands';
import { providerNameOf } from './message-handles';
import { contentOfMessage, readStoredMessage } from './read-messages';

/** The stores and functions with which Charter applies a billing message. */
export type ApplyContext = Readonly<{
  database: Pick<Database, 'inbox' | 'customers'>;
  organizations: Charter['organizations'];
  reading: StripeOptions;
  execute: OrganizationCommands['execute'];
  /**
   * Fetches the current subscription with all its items from Stripe; undefined if Stripe has no subscription with this
   * id. Absent if the settings contain no secret key.
   * @throws if Stripe does not answer
   */
  currentSubscription?: ((subscription: string) => Promise<object | undefined>) | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}>;

type Message = BillingMessage<BillingFact>;
export type ApplyResult = Readonly<{
  settlement: Settlement;
  /**
   * True if Charter asked Stripe for the current state and got no answer. Without Stripe's answer, rule 24 of
   * `decisions.md` decides which message is newer, and a later attempt should apply the message anew.
   */
  isUnsure: boolean;
  /**
   * Older messages that this message replaces. The billing service handles the replaced messages again, so that they no
   * longer wait.
   */
  overtaken: readonly BillingFact[];
}>;

/**
 * Executes the commands of a stored message and returns the outcome to store. The ids of the commands are derived from
 * the message, so two simultaneous calls for one message execute each command once, even in two processes.
 * @throws the errors of `Aggregates.execute`, and DatabaseUnavailable; the caller must then retry
 */
export async function applyMessage(context: ApplyContext, message: Message): Promise<ApplyResult> {
  const translated = readStoredMessage(message, context.reading);
  if (translated.kind !== 'fact') return { settlement: unusedAs(translated), isUnsure: false, overtaken: [] };
  // Stores the message's fact and organization before it reads the facts of other messages. If two processes apply two
  // messages at the same time, at least one process thus finds the fact of the other message.
  const known = await knownBy(context, translated.fact);
  if (!(await storeFact(context, message, message.fact, known))) return applyChanged(context, message);
  const others = await otherFactsOf(context, known);
  const { fact, isUnsure } = await withCurrentState(context, known, others);
  const overtaken = others.filter((other) => overtakes(fact, other));
  if (fact === known) return { settlement: await applyFact(context, fact, others), isUnsure, overtaken };
  if (!(await storeFact(context, message, known, fact))) return applyChanged(context, message);
  return { settlement: await applyFact(context, fact, await otherFactsOf(context, fact)), isUnsure, overtaken };
}

/** Applies a message that another process has changed meanwhile, for example because an operator has dismissed it. */
const applyChanged = async (context: ApplyContext, message: Message): Promise<ApplyResult> =>
  applyMessage(context, (await context.database.inbox.find<BillingFact>(message))!);

const unusedAs = ({ kind, reason, detail }: Exclude<TranslatedMessage, { kind: 'fact' }>): Settlement => ({
  state: kind,
  reason,
  detail,
});

/** Executes the commands of a fact. Parts of the fact that Charter cannot apply yet do not delay the other parts. */
export async function applyFact(
  context: ApplyContext,
  fact: BillingFact,
  others: readonly BillingFact[],
): Promise<Settlement> {
  const { organizations, execute, now } = context;
  let refused: Settlement | undefined;
  for (const { organization, command, context } of commandsFor(fact, others, idOf)) {
    const at = momentAt(now());
    const correlation = idOf(JSON.stringify([fact.provider, fact.id]));
    await execute(organization, command, { ...context, actor: actorOf(fact), at, correlation }).catch(
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        // This command ends a sale of another organization, because another message assigned the subscription to that
        // organization. If that organization refuses the command, the refusal does not decide the outcome of the
        // present message.
        if (organization !== fact.organization) return;
        refused ??= waitingAs({ reason: String(error.refusal.refused), detail: error.refusal.detail });
      },
    );
  }
  const because = quarantineReason(fact, others);
  if (because) return waitingAs(because);
  if (refused) return refused;
  return organizations.query(organizationStream(fact.organization!), ({ state: current }) => {
    const state = outcomeOf(fact, others, current);
    return current.closed ? { state, forgets: true } : { state };
  });
}

const waitingAs = ({ reason, detail }: Readonly<{ reason: string; detail: string }>): Settlement => ({
  state: 'quarantined',
  reason,
  detail,
});

/** The facts of all other messages about the subscription, whatever the outcomes of these messages. */
export async function otherFactsOf(
  { database: { inbox } }: ApplyContext,
  fact: BillingFact,
): Promise<readonly BillingFact[]> {
  const { provider, subscription, id, isWhole } = fact;
  if (!isWhole || subscription === undefined) return [];
  const all = await inbox.ofSubscription<BillingFact>(provider, subscription);
  return all.flatMap((other) => (other.id === id ? [] : [other.fact]));
}

/** Translates the message anew, with the current prices and customer links. */
async function knownBy({ database: { customers }, reading }: ApplyContext, fact: BillingFact): Promise<BillingFact> {
  const { provider, organization, customer } = fact;
  const linked =
    organization === undefined && customer !== undefined
      ? await customers.organizationOf(provider, customer)
      : undefined;
  return rereadFact(fact, reading.prices, linked);
}

/** Adds the current state of the subscription when the messages alone do not determine the subscription's content. */
async function withCurrentState(
  { currentSubscription, reading }: ApplyContext,
  fact: BillingFact,
  others: readonly BillingFact[],
) {
  if (!currentSubscription || !needsCurrentSubscription(fact, others) || fact.subscription === undefined)
    return { fact, isUnsure: false };
  try {
    const subscription = await currentSubscription(fact.subscription);
    return {
      fact: subscription ? withCurrentSubscription(fact, subscription, reading.prices, others) : fact,
      isUnsure: false,
    };
  } catch {
    return { fact, isUnsure: true };
  }
}

/** Returns false if another process has changed the stored fact meanwhile. */
async function storeFact(
  { database: { inbox } }: ApplyContext,
  message: Message,
  before: BillingFact | null,
  fact: BillingFact,
): Promise<boolean> {
  if (JSON.stringify(fact) === JSON.stringify(before)) return true;
  return inbox.storeFact(message, contentOfMessage(fact), before);
}

/**
 * The actor of billing's commands. Charter also executes billing's commands for a closed organization (`decisions.md`
 * 27).
 */
const actorOf = (fact: BillingFact) =>
  ({ kind: 'billing', id: providerNameOf(fact), powers: ['billing:write'] }) as const;

/** The UUID namespace from which command ids are derived. */
const BILLING = '0f0b5d8e-6a53-4b0e-9d3a-6c1f2f2e7d41';
const idOf = (name: string) => uuidv5(BILLING, name);
