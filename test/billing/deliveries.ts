import {
  type BillingCommand,
  commandsFor,
  type BillingFact,
  type Prices,
  rereadFact,
  stripeFacts,
} from '@charter/billing';
import { loadCatalogue } from '@charter/catalogue';
import { isRefusal } from '@charter/decider';
import {
  entitlementsOf,
  evolve,
  heldPlans,
  initial,
  organizationDecider,
  type OrganizationDraft,
  type OrganizationEvent,
  purchasesInForce,
} from '@charter/organization';

/** Billing without anything around it: an inbox, a stream and the rules, all in memory, to try every order of everything. */

const catalogue = loadCatalogue();
const decider = organizationDecider(catalogue);
/** The one organization of all these messages. */
export const organization = '0a5e0a11-0000-4000-8000-000000000001';
/** The same catalogue, and what nobody knew is an add-on by now. */
export const mapped: Prices = {
  byProviderId: (id) =>
    id === 'price_NobodyKnows' ? { kind: 'add-on', addOn: 'feedback' } : catalogue.byProviderId(id),
};
const actor = { kind: 'billing', id: 'stripe', powers: ['billing:write'] } as const;
/** After all that these messages tell of. */
const at = '2025-12-31T00:00:00.000Z';

/** What messages say, without those that are ignored. */
export const factsOf = (messages: readonly unknown[], countsTests = false): readonly BillingFact[] =>
  messages.flatMap((message) => {
    const read = stripeFacts(message, { prices: catalogue, countsTests });
    return read?.kind === 'fact' ? [read.fact] : [];
  });

export type DeliveryState = Readonly<{
  organization: OrganizationDraft;
  events: readonly OrganizationEvent[];
  /** Commands that had an effect: they have no other one when they come again. */
  answered: ReadonlySet<string>;
  inbox: readonly BillingFact[];
}>;

export const founded: DeliveryState = {
  organization: evolve(initial(), { type: 'OrganizationFounded', data: { name: 'Acme' } }, { event: 0, at }),
  events: [],
  answered: new Set(),
  inbox: [],
};

export const receive = (world: DeliveryState, fact: BillingFact): DeliveryState =>
  world.inbox.some(({ id }) => id === fact.id) ? world : { ...world, inbox: [...world.inbox, fact] };

/** What a message has to tell, as the inbox is now. */
export const commandsOf = ({ inbox }: DeliveryState, fact: BillingFact): readonly BillingCommand[] =>
  commandsFor(
    fact,
    inbox.filter(({ id, subscription }) => id !== fact.id && subscription === fact.subscription),
    (name) => name,
  );

export function execute(world: DeliveryState, { command, context }: BillingCommand): DeliveryState {
  if (world.answered.has(context.command)) return world;
  const decided = decider.decide(command, world.organization, { actor, at, message: context.message });
  if (isRefusal(decided)) throw new Error(`${command.type}: ${decided.detail}`);
  if (decided.length === 0) return world;
  const { plans, purchases } = world.organization;
  let next: OrganizationDraft = { ...world.organization, plans: { ...plans }, purchases: { ...purchases } };
  for (const [index, event] of decided.entries())
    next = evolve(next, event, { event: world.events.length + 1 + index, at, message: context.message });
  const answered = new Set(world.answered).add(context.command);
  return { ...world, organization: next, events: [...world.events, ...decided], answered };
}

/** Receives a message and applies it, also one that came before. */
export const deliver = (world: DeliveryState, fact: BillingFact): DeliveryState => {
  const received = receive(world, fact);
  return commandsOf(received, fact).reduce(execute, received);
};

/** Reads a message again after somebody has mapped what it names, and applies it: what it says by now stands in the inbox. */
export function replay(world: DeliveryState, fact: BillingFact): DeliveryState {
  const again = rereadFact(fact, mapped, organization);
  return deliver({ ...world, inbox: world.inbox.map((known) => (known.id === fact.id ? again : known)) }, again);
}

export const deliverAll = (facts: readonly BillingFact[], from: DeliveryState = founded): DeliveryState =>
  facts.reduce(deliver, from);

/** What must not depend on any order: plans, purchases and entitlements, apart from the numbers of events. */
export function outcomeIn({ organization }: DeliveryState) {
  const { limits, features } = entitlementsOf(organization, at);
  return {
    plans: heldPlans(organization).map(({ line, plan, effectiveAt }) => ({ plan: `${line}/${plan}`, effectiveAt })),
    purchases: purchasesInForce(organization)
      .map(({ purchase, addOn, quantity }) => `${purchase}: ${quantity} ${addOn}`)
      .toSorted(),
    limits: Object.entries(limits).map(([name, { configured, effective }]) => `${name} ${configured} ${effective}`),
    features: Object.entries(features).flatMap(([name, { on }]) => (on ? [name] : [])),
  };
}
