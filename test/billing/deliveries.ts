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

/**
 * This file simulates billing in memory: an inbox, the stream of one organization, and the rules of `@charter/billing`.
 * So specs can try every order of messages.
 */

const catalogue = loadCatalogue();
const decider = organizationDecider(catalogue);
/** The id of the organization to which all payment messages of the specs in `orders/` belong. */
export const organization = '0a5e0a11-0000-4000-8000-000000000001';
/** The prices after an operator has mapped the unknown price to an add-on of the catalogue. */
export const mapped: Prices = {
  byProviderId: (id) => (id === 'price_Unknown' ? { kind: 'add-on', addOn: 'feedback' } : catalogue.byProviderId(id)),
};
const actor = { kind: 'billing', id: 'stripe', powers: ['billing:write'] } as const;
/** The moment at which results are read. This moment is later than every message. */
const at = '2025-12-31T00:00:00.000Z';

/** The billing facts in these messages: one for each message that Charter does not ignore. */
export const factsOf = (messages: readonly unknown[], countsTests = false): readonly BillingFact[] =>
  messages.flatMap((message) => {
    const read = stripeFacts(message, { prices: catalogue, countsTests });
    return read?.kind === 'fact' ? [read.fact] : [];
  });

export type DeliveryState = Readonly<{
  organization: OrganizationDraft;
  events: readonly OrganizationEvent[];
  /** The ids of commands that had an effect. A repeated command has no further effect. */
  answered: ReadonlySet<string>;
  inbox: readonly BillingFact[];
}>;

export const founded: DeliveryState = {
  organization: evolve(initial(), { type: 'OrganizationFounded', data: { name: 'Acme' } }, { event: 0, at }),
  events: [],
  answered: new Set(),
  inbox: [],
};

export const receive = (state: DeliveryState, fact: BillingFact): DeliveryState =>
  state.inbox.some(({ id }) => id === fact.id) ? state : { ...state, inbox: [...state.inbox, fact] };

/** The commands that the rules derive from a message and the current inbox. */
export const commandsOf = ({ inbox }: DeliveryState, fact: BillingFact): readonly BillingCommand[] =>
  commandsFor(
    fact,
    inbox.filter(({ id, subscription }) => id !== fact.id && subscription === fact.subscription),
    (name) => name,
  );

export function execute(state: DeliveryState, { command, context }: BillingCommand): DeliveryState {
  if (state.answered.has(context.command)) return state;
  const decided = decider.decide(command, state.organization, { actor, at, ...context });
  if (isRefusal(decided)) throw new Error(`${command.type}: ${decided.detail}`);
  if (decided.length === 0) return state;
  const { plans, purchases } = state.organization;
  let next: OrganizationDraft = { ...state.organization, plans: { ...plans }, purchases: { ...purchases } };
  for (const [index, event] of decided.entries())
    next = evolve(next, event, { event: state.events.length + 1 + index, at, message: context.message });
  const answered = new Set(state.answered).add(context.command);
  return { ...state, organization: next, events: [...state.events, ...decided], answered };
}

/** Receives a message and applies it. The message may have been received before. */
export const deliver = (state: DeliveryState, fact: BillingFact): DeliveryState => {
  const received = receive(state, fact);
  return commandsOf(received, fact).reduce(execute, received);
};

/**
 * Reads a message again after an operator has mapped its unknown price. Stores the new fact in the inbox, and applies
 * it.
 */
export function replay(state: DeliveryState, fact: BillingFact): DeliveryState {
  const again = rereadFact(fact, mapped, organization);
  return deliver({ ...state, inbox: state.inbox.map((known) => (known.id === fact.id ? again : known)) }, again);
}

export const deliverAll = (facts: readonly BillingFact[], from: DeliveryState = founded): DeliveryState =>
  facts.reduce(deliver, from);

/**
 * The result that must not depend on the order of messages: plans, purchases and entitlements, without event
 * revisions.
 */
export function outcomeIn({ organization }: DeliveryState) {
  const { limits, features } = entitlementsOf(organization, at);
  return {
    plans: heldPlans(organization).map(({ line, plan, effectiveAt }) => ({ plan: `${line}/${plan}`, effectiveAt })),
    purchases: purchasesInForce(organization)
      .map(({ purchase, addOn, quantity }) => `${purchase}: ${quantity} ${addOn}`)
      .toSorted(),
    since: purchasesInForce(organization)
      .map(({ purchase, effectiveAt }) => `${purchase} ${effectiveAt}`)
      .toSorted(),
    limits: Object.entries(limits).map(([name, { configured, effective }]) => `${name} ${configured} ${effective}`),
    features: Object.entries(features).flatMap(([name, { on }]) => (on ? [name] : [])),
  };
}
