import type { Offer, PreviewReason } from '@charter/client';
import { typed } from '../organization/history/wording/typed-text';
import { offeredToday, whyOff } from '../overview/feature-reasons';
import type { ConsoleWords } from '../words';
import type { CommandOutcome } from './useCommand';

/** A problem document. Its JSON fields depend on the reason for which the service refuses a command. */
export type RefusalProblem = Readonly<Record<string, unknown>>;
/** Why the service refused a command, and what would help; `help` is undefined if the page knows no help. */
export type RefusalText = Readonly<{ reason: string; help: string | undefined }>;

/** The messages of the reasons whose message is not `refusal.REASON`. */
const otherMessages: Readonly<Record<string, string>> = {
  'not-found': 'refusal.no-such-organization',
  offline: 'offline.not-sent',
  'too-many-attempts': 'too-many',
};

/** The message that says what would help, for each reason whose own message does not say so. */
const helps: Readonly<Record<string, string>> = {
  'already-a-member': 'help.already-a-member',
  'headers-too-large': 'help.headers-too-large',
  'key-reused': 'help.reload',
  'last-owner': 'help.last-owner',
  'limit-exceeded': 'help.limit-exceeded',
  'no-such-organization': 'help.no-such-organization',
  'not-allowed': 'help.not-allowed',
  'organization-closed': 'help.organization-closed',
  'provider-unreachable': 'help.provider-unreachable',
  'purchase-cancelled': 'help.purchase-cancelled',
  'unknown-add-on': 'help.unknown-add-on',
  'unknown-plan': 'help.unknown-plan',
  xsrf: 'help.reload',
};

/** For each field that a person fills in, the message that says which form its value needs. */
const fields: Readonly<Record<string, string>> = {
  domain: 'refusal.field.domain',
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

/** The message of a reason for which the domain, a route or the page refuses a command; undefined if there is none. */
function messageOf(reason: string, { has }: ConsoleWords): string | undefined {
  if (Object.hasOwn(otherMessages, reason)) return otherMessages[reason];
  const message = `refusal.${reason}`;
  return /^[a-z-]+$/.test(reason) && has(message) ? message : undefined;
}

/** Whether the page has words for a refusal. Without words, the page shows the id of the request, for operators. */
export const isKnownRefusal = (reason: string, words: ConsoleWords): boolean => messageOf(reason, words) !== undefined;

/**
 * The refusal in words. If the page does not know the reason, an English page shows the title that the service sends.
 * A page in another language shows a general message, because the title is English.
 */
export function refusalInWords(problem: RefusalProblem, words: ConsoleWords): RefusalText {
  const { text } = words;
  const reason = reasonOfProblem(problem);
  const message = messageOf(reason, words);
  if (message === undefined) {
    const title = textIn(problem, 'title') || reason;
    const isReadable = title !== '' && words.language === 'en';
    return { reason: isReadable ? typed(title) : text('refusal.other'), help: undefined };
  }
  const values = valuesOf(problem, words);
  const help = [helps[reason] === undefined ? '' : text(helps[reason], values), offersIn(problem, words) ?? ''];
  const field = reason === 'malformed' ? fieldIn(problem) : undefined;
  return { reason: text(field ?? message, values), help: help.filter(Boolean).join(' ') || undefined };
}

/** An entry of `errors` in a problem of the service: the path of a value that the service does not accept, and why. */
type WrongValue = Readonly<{ path: string; message: string }>;

/** Why the service does not understand the command with this index in a draft; empty if it understands the command. */
export function malformedInWords(errors: readonly WrongValue[], index: number, words: ConsoleWords): string {
  const ofCommand = errors.filter(({ path }) => new RegExp(`^commands[.[]${index}\\b`).test(path));
  if (ofCommand.length === 0) return '';
  return [words.text('draft.malformed'), ...ofCommand.map((one) => wrongValueInWords(one, words))].join(' ');
}

/** The text of the service is English, so pages in another language name the field instead. */
function wrongValueInWords({ path, message }: WrongValue, { text, language }: ConsoleWords): string {
  if (language === 'en') return message;
  const field = path.replace(/^commands\.\d+\.(data\.)?/, '');
  return text(fields[field] ?? 'refusal.field.other', { field: typed(field) });
}

const pathsIn = (problem: RefusalProblem): readonly string[] =>
  listIn(problem, 'errors').map((error) => textIn(error as RefusalProblem, 'path'));

/** The message about the first field whose value has a wrong form. */
function fieldIn(problem: RefusalProblem): string | undefined {
  return pathsIn(problem).flatMap((path) => fields[path.split('.').at(-1) ?? ''] ?? [])[0];
}

/** For a refusal that has no list of fields: the field that the refusal is about. */
const fieldOfReason: Readonly<Record<string, string>> = {
  'domain-refused': 'domain',
  'hostname-taken': 'hostname',
  'provider-unreachable': 'issuer',
  'wrong-password': 'password',
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
    domain: typed(textIn(problem, 'domain')),
    why: textIn(problem, 'why').replace('-', '_'), // a message cannot select by a text with a hyphen
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
