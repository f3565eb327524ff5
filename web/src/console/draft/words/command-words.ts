import { type SentenceWords } from '../../organization/history/wording/event-types';
import { isolatedText, typed } from '../../organization/history/wording/typed-text';
import type { DraftCommand, KnownCommand, KnownData } from '../address/draft-address';
import { termsInWords } from './terms-words';

type CommandName = KnownCommand['type'];
type Values = Readonly<Record<string, string | number>>;
export type DraftWords = SentenceWords &
  Readonly<{
    /**
     * The name of the add-on that the purchase with this id contains; if the page does not know the purchase, the
     * beginning of the id.
     */
    purchase: (id: string) => string;
  }>;

const ofRole = ({ member, role }: Readonly<{ member: string; role: string }>, { person, name }: DraftWords) => ({
  ...{ member: person(member), role: name(role) },
});
const ofReason = ({ reason }: Readonly<{ reason: string }>) => ({ reason: typed(reason) });
const ofHostname = ({ hostname }: Readonly<{ hostname: string }>) => ({ hostname: typed(hostname) });
const ofDomain = ({ domain }: Readonly<{ domain: string }>, { thing }: DraftWords) => ({ hostname: thing(domain) });
const ofTerms = (terms: unknown, { number }: DraftWords) => {
  const sale = typeof terms === 'object' && terms !== null && 'termsOf' in terms ? Number(terms.termsOf) : undefined;
  const kind = terms === undefined || terms === 'today' ? 'today' : sale === undefined ? 'named' : 'sale';
  return { terms: kind, event: sale === undefined ? '' : number(sale) };
};

/**
 * The values for the placeholders of the message `command.TYPE`, made from the data of the command. A type that is
 * missing here has the values of `fieldValues`.
 */
const commandValues = {
  RenameOrganization: ({ name }) => ({ name: typed(name) }),
  CloseOrganization: ofReason,
  ReopenOrganization: ofReason,
  AssignPlan: ({ line, plan, terms }, words) => ({ plan: words.planOfLine(line, plan), ...ofTerms(terms, words) }),
  EndPlan: ({ line }) => ({ line }),
  PurchaseAddOn: ({ addOn, quantity = 1, grants }, words) => ({
    ...{ addOn: words.addOn(addOn), quantity: words.number(quantity) },
    ...ofTerms(grants, words),
  }),
  ChangeQuantity: ({ purchase, quantity }, words) => ({
    ...{ addOn: words.purchase(purchase), quantity: words.number(quantity) },
  }),
  CancelAddOn: ({ purchase }, words) => ({ addOn: words.purchase(purchase) }),
  AssignServiceLevel: ({ serviceLevel }, { name }) => ({ level: serviceLevel, name: name(serviceLevel) }),
  ConfigureLimits: (limits, { text, name, number, list }) => ({
    limits: list(
      Object.entries(limits).map(([resource, amount]) =>
        text('sentence.limit', {
          resource: name(resource),
          kind: amount === null ? 'plan' : amount === 0 ? 'unlimited' : 'amount',
          amount: number(amount ?? 0),
        }),
      ),
    ),
  }),
  OverrideHardLimits: ({ reason, until }, { second }) => ({
    ...{ ends: until === undefined ? 'no' : 'yes', until: until === undefined ? '' : second(until) },
    reason: typed(reason),
  }),
  AddMember: ofRole,
  ChangeRole: ofRole,
  AddSite: ofHostname,
  RenameSite: ({ site, name }, { thing }) => ({ site: thing(site), name: typed(name) }),
  ChangeSiteFeatures: ({ site, features }, { text, name, thing, list }) => ({
    site: thing(site),
    features: list(
      Object.entries(features).map(([feature, isOn]) =>
        text('draft.switch', { feature: name(feature), on: String(isOn) }),
      ),
    ),
  }),
  AddQualityAssuranceDomain: ofHostname,
  RemoveQualityAssuranceDomain: ofDomain,
  AddWebAnalyticsDomain: ofHostname,
  RemoveWebAnalyticsDomain: ofDomain,
  ReportTraffic: ({ month, views }, words) => ({ month: words.month(month), views: words.number(views) }),
} as const satisfies { readonly [Type in CommandName]?: (data: KnownData<Type>, words: DraftWords) => Values };

const hasOwnValues = (type: string): type is keyof typeof commandValues => Object.hasOwn(commandValues, type);

/** The value for each placeholder that has the name of a field: the value of this field in words. */
const fieldValues = (data: object, words: DraftWords): Values =>
  new Proxy({}, { get: (_, field) => valueInWords(field, Reflect.get(data, field), words) });

function valueInWords(field: PropertyKey, value: unknown, words: DraftWords): string {
  if (value === undefined) throw new TypeError(`The command has no field ${String(field)}.`);
  if (value === null) return 'unset';
  if (field === 'member' && typeof value === 'string') return words.person(value);
  if (typeof value === 'string') return UUID.test(value) ? words.thing(value) : typed(value);
  return typeof value === 'boolean' ? String(value) : termsInWords(value, words);
}
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The command as a sentence, which contains every field of the command's data. If the page does not know the type or
 * cannot read the data, the text is only the type.
 */
export function commandInWords({ type, data }: DraftCommand, words: DraftWords): string {
  const message = `command.${type}`;
  if (!/^[A-Z]/.test(type) || !words.has(message)) return type; // other messages begin with `command.`, too
  try {
    const named = new Set<PropertyKey>();
    const get = (all: object, field: PropertyKey): unknown => {
      named.add(field);
      return Reflect.get(all, field);
    };
    const values = hasOwnValues(type) ? (commandValues[type] as typeof fieldValues) : fieldValues;
    const command = words.text(message, values(new Proxy(data, { get }), words));
    const others = Object.entries(data).filter(([field, value]) => !named.has(field) || isOwnTerms(field, value));
    if (others.length === 0) return command;
    const fields = words.list(others.map(([field, value]) => fieldInWords(field, value, words)));
    return words.text('command.with-fields', { command, fields });
  } catch {
    return type; // the address contains data that the type does not have
  }
}

/**
 * Whether the value contains terms itself, instead of a reference to the terms of an earlier sale. The command's
 * message has no place for such terms, so `commandInWords` appends them.
 */
const isOwnTerms = (field: string, value: unknown): boolean =>
  (field === 'terms' || field === 'grants') && typeof value === 'object' && value !== null && !('termsOf' in value);

/** The command's fields that have a separate message. */
const fieldMessages: Readonly<Record<string, string>> = {
  effectiveAt: 'command.field.effectiveAt',
  subscription: 'command.field.subscription',
  name: 'command.field.name',
  reason: 'command.field.reason',
  terms: 'command.field.terms',
  grants: 'command.field.grants',
};

/** The words for a field of the command's data that the message of the command does not contain. */
function fieldInWords(field: string, given: unknown, words: DraftWords): string {
  const { text, second } = words;
  const isTime = field === 'effectiveAt' && typeof given === 'string' && !Number.isNaN(Date.parse(given));
  const value = isTime ? second(given) : typeof given === 'string' ? isolatedText(given) : termsInWords(given, words);
  const message = Object.hasOwn(fieldMessages, field) ? fieldMessages[field] : undefined;
  return message === undefined
    ? text('command.field', { field: isolatedText(field), value })
    : text(message, { value });
}
