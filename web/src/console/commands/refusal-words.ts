import type { Offer, PreviewReason } from '@charter/client';
import { typed } from '../organization/history/wording/typed-text';
import { offeredToday, whyOff } from '../overview/feature-reasons';
import type { ConsoleWords } from '../words';
import type { CommandOutcome } from './useCommand';

/** A problem document. Its JSON fields depend on the reason for which the service refuses a command. */
export type RefusalProblem = Readonly<Record<string, unknown>>;
/** Why the service refused a command, and what would help; `help` is undefined if the page knows no help. */
export type RefusalText = Readonly<{ reason: string; help: string | undefined }>;

/** The message of each reason for which the domain, a route or the page refuses a command. */
const reasons = {
  'already-a-member': 'refusal.already-a-member',
  'already-founded': 'refusal.already-founded',
  'feature-off': 'refusal.feature-off',
  'hostname-taken': 'refusal.hostname-taken',
  'id-taken': 'refusal.id-taken',
  'last-owner': 'refusal.last-owner',
  'limit-exceeded': 'refusal.limit-exceeded',
  'month-not-begun': 'refusal.month-not-begun',
  'no-such-domain': 'refusal.no-such-domain',
  'no-such-member': 'refusal.no-such-member',
  'no-such-organization': 'refusal.no-such-organization',
  'no-such-purchase': 'refusal.no-such-purchase',
  'no-such-sale': 'refusal.no-such-sale',
  'no-such-site': 'refusal.no-such-site',
  'not-allowed': 'refusal.not-allowed',
  'not-yet-effective': 'refusal.not-yet-effective',
  'organization-closed': 'refusal.organization-closed',
  'override-ended': 'refusal.override-ended',
  'purchase-cancelled': 'refusal.purchase-cancelled',
  'unknown-add-on': 'refusal.unknown-add-on',
  'unknown-plan': 'refusal.unknown-plan',
  'key-reused': 'refusal.key-reused',
  malformed: 'refusal.malformed',
  'not-found': 'refusal.no-such-organization',
  offline: 'offline.not-sent',
  'provider-unreachable': 'refusal.provider-unreachable',
  stale: 'refusal.stale',
  'too-large': 'refusal.too-large',
  'too-many-at-once': 'refusal.too-many-at-once',
  'too-many-attempts': 'too-many',
} as const;

/** The message that says what would help, for each reason whose own message does not say so. */
const helps: Readonly<Record<string, string>> = {
  'already-a-member': 'help.already-a-member',
  'key-reused': 'help.key-reused',
  'last-owner': 'help.last-owner',
  'limit-exceeded': 'help.limit-exceeded',
  'no-such-organization': 'help.no-such-organization',
  'not-allowed': 'help.not-allowed',
  'organization-closed': 'help.organization-closed',
  'provider-unreachable': 'help.provider-unreachable',
  'purchase-cancelled': 'help.purchase-cancelled',
  'unknown-add-on': 'help.unknown-add-on',
  'unknown-plan': 'help.unknown-plan',
};

/** For each field that a person fills in, the message that says which form its value needs. */
const fields: Readonly<Record<string, string>> = {
  email: 'refusal.field.email',
  hostname: 'refusal.field.hostname',
  name: 'refusal.field.name',
  reason: 'refusal.field.reason',
  issuer: 'refusal.field.issuer',
  clientId: 'refusal.field.credential',
  clientSecret: 'refusal.field.credential',
};

/** The last part of the problem's type, such as `last-owner`. */
export const reasonOfProblem = ({ type }: RefusalProblem): string =>
  typeof type === 'string' ? (type.split('/').at(-1) ?? '') : '';

/** Whether the page has words for a refusal. If not, the page shows the id of the request, for operators. */
export const isKnownRefusal = (reason: string): reason is keyof typeof reasons => Object.hasOwn(reasons, reason);

/** The refusal in words. For a reason that the page does not know, the title that the service sends. */
export function refusalInWords(problem: RefusalProblem, words: ConsoleWords): RefusalText {
  const { text } = words;
  const reason = reasonOfProblem(problem);
  if (!isKnownRefusal(reason)) {
    const title = textIn(problem, 'title') || reason;
    return { reason: title === '' ? text('refusal.other') : typed(title), help: undefined };
  }
  const values = valuesOf(problem, words);
  const help = [helps[reason] === undefined ? '' : text(helps[reason], values), offersIn(problem, words) ?? ''];
  const field = reason === 'malformed' ? fieldIn(problem) : undefined;
  return { reason: text(field ?? reasons[reason], values), help: help.filter(Boolean).join(' ') || undefined };
}

const pathsIn = (problem: RefusalProblem): readonly string[] =>
  listIn(problem, 'errors').map((error) => textIn(error as RefusalProblem, 'path'));

/** The message about the first field whose value has a wrong form. */
function fieldIn(problem: RefusalProblem): string | undefined {
  return pathsIn(problem).flatMap((path) => fields[path.split('.').at(-1) ?? ''] ?? [])[0];
}

/** For a refusal that has no list of fields: the field that the refusal is about. */
const fieldOfReason: Readonly<Record<string, string>> = {
  'hostname-taken': 'hostname',
  'provider-unreachable': 'issuer',
};

/** The name of the field that the service does not accept; undefined if a refusal is about no field of a form. */
export function refusedField(outcome: CommandOutcome): string | undefined {
  if (outcome.is !== 'refused') return undefined;
  const { reason, problem = {} } = outcome.failure;
  if (reason !== 'malformed') return fieldOfReason[reason];
  return pathsIn(problem).flatMap((path) => path.split('.').at(-1) ?? [])[0];
}

function valuesOf(problem: RefusalProblem, words: ConsoleWords): Readonly<Record<string, string>> {
  const { name, number, oneOf, addOn, plan } = words;
  const amount = (fact: string) => number(Number(problem[fact] ?? 0));
  const known = listIn(problem, 'known');
  const line = textIn(problem, 'line');
  return {
    resource: name(textIn(problem, 'limit')),
    ...{ used: amount('used'), allowed: amount('allowed') },
    feature: name(textIn(problem, 'feature')),
    because: whyOff({ because: listIn(problem, 'because') as readonly PreviewReason[] }, words),
    hostname: typed(textIn(problem, 'hostname')),
    role: name(textIn(problem, 'role')),
    roles: oneOf(listIn(problem, 'takes').map(String).filter(isRole).map(name)),
    plan: plan(`${line}/${textIn(problem, 'plan')}`),
    addOn: addOn(textIn(problem, 'addOn')),
    known: oneOf(known.map(String).map((one) => (one.includes('/') ? plan(one) : addOn(one)))),
  };
}

/** Scopes of API keys contain a colon. */
const isRole = (role: string) => !role.includes(':');

const textIn = (problem: RefusalProblem, fact: string): string =>
  typeof problem[fact] === 'string' ? problem[fact] : '';
const listIn = (problem: RefusalProblem, fact: string): readonly unknown[] =>
  Array.isArray(problem[fact]) ? problem[fact] : [];

/** The offers of today's catalogue that would turn the feature on. */
function offersIn(problem: RefusalProblem, words: ConsoleWords): string | undefined {
  if (!Array.isArray(problem['today'])) return undefined;
  const because = listIn(problem, 'because') as readonly PreviewReason[];
  return offeredToday({ on: false, because }, problem['today'] as readonly Offer[], words);
}
