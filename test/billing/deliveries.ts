import { type BillingCommand, commandsFor, type Fact, type Prices, readAgain, stripeFacts } from '@charter/billing';
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
export const factsOf = (messages: readonly unknown[], countsTests = false): readonly Fact[] =>
  messages.flatMap((message) => {
    const read = stripeFacts(message, { prices: catalogue, countsTests });
    return read?.kind === 'fact' ? [read.fact] : [];
  });

export type World = Readonly<{
  organization: OrganizationDraft;
  events: readonly OrganizationEvent[];
  /** Commands that had an effect: they have no other one when they come again. */
  answered: ReadonlySet<string>;
  inbox: readonly Fact[];
}>;

export const founded: World = {
  organization: evolve(initial(), { type: 'OrganizationFounded', data: { name: 'Acme' } }, { event: 0, at }),
  events: [],
  answered: new Set(),
  inbox: [],
};

export const receive = (world: World, fact: Fact): World =>
  world.inbox.some(({ id }) => id === fact.id) ? world : { ...world, inbox: [...world.inbox, fact] };

/** What a message has to tell, as the inbox is now. */
export const look = ({ inbox }: World, fact: Fact): readonly BillingCommand[] =>
  commandsFor(
    fact,
    inbox.filter(({ id, subscription }) => id !== fact.id && subscription === fact.subscription),
    (name) => name,
  );

export function tell(world: World, { command, by }: BillingCommand): World {
  if (world.answered.has(by.command)) return world;
  const decided = decider.decide(command, world.organization, { actor, at, message: by.message });
  if (isRefusal(decided)) throw new Error(`${command.type}: ${decided.detail}`);
  if (decided.length === 0) return world;
  const { plans, purchases } = world.organization;
  let next: OrganizationDraft = { ...world.organization, plans: { ...plans }, purchases: { ...purchases } };
  for (const [index, event] of decided.entries())
    next = evolve(next, event, { event: world.events.length + 1 + index, at, message: by.message });
  const answered = new Set(world.answered).add(by.command);
  return { ...world, organization: next, events: [...world.events, ...decided], answered };
}

/** Receives a message and applies it, also one that came before. */
export const deliver = (world: World, fact: Fact): World => {
  const received = receive(world, fact);
  return look(received, fact).reduce(tell, received);
};

/** Reads a message again after somebody has mapped what it names, and applies it: what it says by now stands in the inbox. */
export function replay(world: World, fact: Fact): World {
  const again = readAgain(fact, mapped, organization);
  return deliver({ ...world, inbox: world.inbox.map((known) => (known.id === fact.id ? again : known)) }, again);
}

export const deliverAll = (facts: readonly Fact[], from: World = founded): World => facts.reduce(deliver, from);

/** What must not depend on any order: plans, purchases and entitlements, apart from the numbers of events. */
export function outcomeIn({ organization }: World) {
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
