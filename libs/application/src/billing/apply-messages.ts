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
import { uuidv5 } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { Charter } from '../charter';
import type { OrganizationCommands } from '../organizations/organization-commands';
import { providerNameOf } from './message-handles';
import { readStoredMessage } from './read-messages';

/** What applying a message takes. */
export type ApplyContext = Readonly<{
  documents: Pick<Database, 'inbox' | 'customers'>;
  organizations: Charter['organizations'];
  reading: StripeOptions;
  execute: OrganizationCommands['execute'];
  /**
   * A subscription as Stripe has it now, with all its items; undefined when Stripe knows none of this id. Absent: it cannot be
   * asked. @throws when it does not answer
   */
  currentSubscription?: ((subscription: string) => Promise<object | undefined>) | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}>;

type Message = BillingMessage<BillingFact>;
export type ApplyResult = Readonly<{
  settlement: Settlement;
  /** Stripe gave no answer about what holds now: it went by the order of rule 24, and is worth another look. */
  isUnsure: boolean;
  /** Older ones that need not wait any more. */
  overtaken: readonly BillingFact[];
}>;

/**
 * Tells organizations what a stored message says, and answers with what becomes of it. Doing so again, also in another process
 * at the same time, tells nothing twice, for the ids of the commands are made from the message.
 * @throws what `Aggregates.tell` throws when the log gave no answer, DocumentsUnavailable: it comes again
 */
export async function applyMessage(applying: ApplyContext, message: Message): Promise<ApplyResult> {
  const translated = readStoredMessage(message, applying.reading);
  if (translated.kind !== 'fact') return { settlement: unusedAs(translated), isUnsure: false, overtaken: [] };
  // Stored before the others are looked at: of two that come at the same time, one then sees whom the other is about.
  const known = await knownBy(applying, translated.fact);
  await learn(applying, message, message.fact, known);
  const others = await otherFactsOf(applying, known);
  const { fact, isUnsure } = await surely(applying, known, others);
  const overtaken = others.filter((other) => overtakes(fact, other));
  if (fact === known) return { settlement: await applyFact(applying, fact, others), isUnsure, overtaken };
  await learn(applying, message, known, fact);
  return { settlement: await applyFact(applying, fact, await otherFactsOf(applying, fact)), isUnsure, overtaken };
}

const unusedAs = ({ kind, reason, detail }: Exclude<TranslatedMessage, { kind: 'fact' }>): Settlement => ({
  state: kind,
  reason,
  detail,
});

/** Tells what a fact brings; what can be applied is not held back by what cannot. */
export async function applyFact(
  applying: ApplyContext,
  fact: BillingFact,
  others: readonly BillingFact[],
): Promise<Settlement> {
  const { organizations, execute, now } = applying;
  let refused: Settlement | undefined;
  for (const { organization, command, context } of commandsFor(fact, others, idOf)) {
    const at = new Date(now()).toISOString();
    const correlation = idOf(JSON.stringify([fact.provider, fact.id]));
    await execute(organization, command, { ...context, actor: actorOf(fact), at, correlation }).catch(
      (error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        if (organization !== fact.organization) return; // an end of what another one named by mistake never had
        refused ??= waitingAs({ reason: String(error.refusal.refused), detail: error.refusal.detail });
      },
    );
  }
  const because = quarantineReason(fact, others);
  if (because) return waitingAs(because);
  if (refused) return refused;
  return organizations.query(organizationStream(fact.organization!), ({ state: present }) => {
    const state = outcomeOf(fact, others, present);
    return present.closed ? { state, forgets: true } : { state };
  });
}

const waitingAs = ({ reason, detail }: Readonly<{ reason: string; detail: string }>): Settlement => ({
  state: 'quarantined',
  reason,
  detail,
});

/** The facts of all other messages of the same subscription, whatever became of them. */
export async function otherFactsOf(
  { documents: { inbox } }: ApplyContext,
  fact: BillingFact,
): Promise<readonly BillingFact[]> {
  const { provider, subscription, id, isWhole } = fact;
  if (!isWhole || subscription === undefined) return [];
  const all = await inbox.ofSubscription<BillingFact>(provider, subscription);
  return all.flatMap((other) => (other.id === id ? [] : [other.fact]));
}

/** Read again with the prices and customers that are known by now. */
async function knownBy({ documents: { customers }, reading }: ApplyContext, fact: BillingFact): Promise<BillingFact> {
  const { provider, organization, customer } = fact;
  const linked =
    organization === undefined && customer !== undefined
      ? await customers.organizationOf(provider, customer)
      : undefined;
  return rereadFact(fact, reading.prices, linked);
}

/** With what the subscription holds now, where the message alone cannot say what holds, or does not show all of it. */
async function surely(
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

async function learn(
  { documents: { inbox } }: ApplyContext,
  message: Message,
  before: BillingFact | null,
  fact: BillingFact,
): Promise<void> {
  if (JSON.stringify(fact) === JSON.stringify(before)) return;
  await inbox.learn(message, { organization: fact.organization ?? null, fact });
}

/** What is told by billing counts also while an organization is closed (`decisions.md` 27). */
const actorOf = (fact: BillingFact) =>
  ({ kind: 'billing', id: providerNameOf(fact), powers: ['billing:write'] }) as const;

/** Ids of commands are made under this one. */
const BILLING = '0f0b5d8e-6a53-4b0e-9d3a-6c1f2f2e7d41';
const idOf = (name: string) => uuidv5(BILLING, name);
