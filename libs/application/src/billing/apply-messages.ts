import {
  atPresent,
  commandsFor,
  type Fact,
  needsPresent,
  outcomeOf,
  overtakes,
  readAgain,
  type StripeReading,
  type Translated,
  waitingFor,
} from '@charter/billing';
import type { BillingMessage, Documents, Settlement } from '@charter/database';
import { Refused } from '@charter/aggregates';
import { type Envelope, uuidv5 } from '@charter/event-log';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import type { Charter } from '../charter';
import { speakerOf } from './message-handles';
import { readStored } from './read-messages';

/** What applying a message takes. */
export type Applying = Readonly<{
  documents: Pick<Documents, 'inbox' | 'customers'>;
  organizations: Charter['organizations'];
  reading: StripeReading;
  tell: (organization: string, command: OrganizationCommand, by: Envelope) => Promise<unknown>;
  /**
   * A subscription as Stripe has it now, with all its items; undefined when Stripe knows none of this id. Absent: it cannot be
   * asked. @throws when it does not answer
   */
  present?: ((subscription: string) => Promise<object | undefined>) | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}>;

type Message = BillingMessage<Fact>;
export type Applied = Readonly<{
  settlement: Settlement;
  /** Stripe gave no answer about what holds now: it went by the order of rule 24, and is worth another look. */
  isUnsure: boolean;
  /** Older ones that need not wait any more. */
  overtaken: readonly Fact[];
}>;

/**
 * Tells organizations what a stored message says, and answers with what becomes of it. Doing so again, also in another process
 * at the same time, tells nothing twice, for the ids of the commands are made from the message.
 * @throws what `Aggregates.tell` throws when the log gave no answer, DocumentsUnavailable: it comes again
 */
export async function apply(applying: Applying, message: Message): Promise<Applied> {
  const translated = readStored(message, applying.reading);
  if (translated.kind !== 'fact') return { settlement: unusedAs(translated), isUnsure: false, overtaken: [] };
  // Stored before the others are looked at: of two that come at the same time, one then sees whom the other is about.
  const known = await knownBy(applying, translated.fact);
  await learn(applying, message, message.fact, known);
  const others = await othersOf(applying, known);
  const { fact, isUnsure } = await surely(applying, known, others);
  const overtaken = others.filter((other) => overtakes(fact, other));
  if (fact === known) return { settlement: await told(applying, fact, others), isUnsure, overtaken };
  await learn(applying, message, known, fact);
  return { settlement: await told(applying, fact, await othersOf(applying, fact)), isUnsure, overtaken };
}

const unusedAs = ({ kind, reason, detail }: Exclude<Translated, { kind: 'fact' }>): Settlement => ({
  state: kind,
  reason,
  detail,
});

/** Tells what a fact brings; what can be applied is not held back by what cannot. */
export async function told(applying: Applying, fact: Fact, others: readonly Fact[]): Promise<Settlement> {
  const { organizations, tell, now } = applying;
  let refused: Settlement | undefined;
  for (const { organization, command, by } of commandsFor(fact, others, idOf)) {
    const at = new Date(now()).toISOString();
    const correlation = idOf(JSON.stringify([fact.provider, fact.id]));
    await tell(organization, command, { ...by, actor: actorOf(fact), at, correlation }).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
      if (organization !== fact.organization) return; // an end of what another one named by mistake never had
      refused ??= waitingAs({ reason: String(error.refusal.refused), detail: error.refusal.detail });
    });
  }
  const because = waitingFor(fact, others);
  if (because) return waitingAs(because);
  if (refused) return refused;
  return organizations.look(organizationStream(fact.organization!), ({ state: present }) => {
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
export async function othersOf({ documents: { inbox } }: Applying, fact: Fact): Promise<readonly Fact[]> {
  const { provider, subscription, id, isWhole } = fact;
  if (!isWhole || subscription === undefined) return [];
  const all = await inbox.ofSubscription<Fact>(provider, subscription);
  return all.flatMap((other) => (other.id === id ? [] : [other.fact]));
}

/** Read again with the prices and customers that are known by now. */
async function knownBy({ documents: { customers }, reading }: Applying, fact: Fact): Promise<Fact> {
  const { provider, organization, customer } = fact;
  const linked =
    organization === undefined && customer !== undefined
      ? await customers.organizationOf(provider, customer)
      : undefined;
  return readAgain(fact, reading.prices, linked);
}

/** With what the subscription holds now, where the message alone cannot say what holds, or does not show all of it. */
async function surely({ present, reading }: Applying, fact: Fact, others: readonly Fact[]) {
  if (!present || !needsPresent(fact, others) || fact.subscription === undefined) return { fact, isUnsure: false };
  try {
    const subscription = await present(fact.subscription);
    return { fact: subscription ? atPresent(fact, subscription, reading.prices, others) : fact, isUnsure: false };
  } catch {
    return { fact, isUnsure: true };
  }
}

async function learn(
  { documents: { inbox } }: Applying,
  message: Message,
  before: Fact | null,
  fact: Fact,
): Promise<void> {
  if (JSON.stringify(fact) === JSON.stringify(before)) return;
  await inbox.learn(message, { organization: fact.organization ?? null, fact });
}

/** What is told by billing counts also while an organization is closed (`decisions.md` 27). */
const actorOf = (fact: Fact) => ({ kind: 'billing', id: speakerOf(fact), powers: ['billing:write'] }) as const;

/** Ids of commands are made under this one. */
const BILLING = '0f0b5d8e-6a53-4b0e-9d3a-6c1f2f2e7d41';
const idOf = (name: string) => uuidv5(BILLING, name);
