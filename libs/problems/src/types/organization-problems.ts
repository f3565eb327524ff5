import { each, type Entry, entries, type RefusalReason } from '@charter/organization';
import type { ProblemText } from './problem-text';

/** The refusals of the rules of an organization. The status is 403 (`not-allowed`), 404 (`no-such-…`) or 409. */
export const organizationProblems = {
  'already-a-member': {
    title: 'The account is already a member',
    meaning: 'The organization already has this account as a member. The field `role` names the role of the member.',
    remedy: 'To give the member another role, change the role of the member.',
  },
  'already-founded': {
    title: 'The organization already exists',
    meaning: 'An organization with this id already exists, so the service cannot found it again.',
    remedy: 'Use the existing organization, or send the request with another `Idempotency-Key`.',
  },
  'feature-off': {
    title: 'The feature is off',
    meaning:
      'The command needs a feature that the organization does not have now. The field `because` says why the feature is off.',
    remedy: 'Buy one of the plans, add-ons or service levels in the field `today`. Each of them turns the feature on.',
  },
  'hostname-taken': {
    title: 'The hostname is already in the list',
    meaning: 'The list of the organization already contains this hostname. Each hostname stands once in a list.',
    remedy: 'Use the existing entry, or send another hostname.',
  },
  'id-taken': {
    title: 'The id is already in use',
    meaning: 'Another entry of the organization has the id that the command gives to a new entry.',
    remedy: 'Send the command without an id, so that the service makes an id. Or send another id.',
  },
  'last-owner': {
    title: 'The last owner cannot leave',
    meaning: 'The command would leave the organization without an owner. An organization keeps at least one owner.',
    remedy: 'Give another member the role owner first. Then send the command again.',
  },
  'limit-exceeded': {
    title: 'The limit is reached',
    meaning:
      'The organization already uses as much as its limit allows. The problem document names the limit, the allowed amount and the used amount. The field `because` lists the events behind the limit.',
    remedy: 'Remove an entry, or raise the limit with an add-on or a larger plan. Then send the command again.',
  },
  'month-not-begun': {
    title: 'The month has not begun',
    meaning: 'The report of traffic names a month that has not begun in any time zone.',
    remedy: 'Check the month. Report the traffic of a month when the month has begun.',
  },
  'no-such-organization': {
    title: 'There is no such organization',
    meaning: 'No organization has this id, or the caller may not see the organization. Both cases get the same answer.',
    remedy: 'Check the id. If the id is right, ask an owner of the organization to add the account as a member.',
  },
  'no-such-purchase': {
    title: 'There is no such purchase',
    meaning: 'The organization has no purchase of an add-on with this id.',
    remedy: 'Read the purchases in the field `addOns` of the organization, and send one of their ids.',
  },
  'no-such-sale': {
    title: 'The event is no sale of this plan or add-on',
    meaning: 'The field `termsOf` names an event that is not a sale of the same plan or add-on to the organization.',
    remedy: 'Send the revision of an event that sold the same plan or add-on. Or send the terms themselves.',
  },
  ...noSuchEntries(),
  'not-allowed': {
    title: 'The caller has no permission',
    meaning:
      'The caller is known, but has none of the roles and scopes that the request needs. The field `takes` lists these roles and scopes.',
    remedy: 'Ask an owner for one of the roles. Or use an API key with one of the scopes.',
  },
  'not-proven': {
    title: 'The domain is not proven',
    meaning: 'The organization has claimed the domain, but the service has not found the DNS record of the claim.',
    remedy: 'Publish the record that the claim names. Then check the domain again.',
  },
  'not-yet-effective': {
    title: 'The change would take effect in the future',
    meaning: 'The field `effectiveAt` is a moment in the future. Charter records only changes that are in force.',
    remedy: 'Send the command when the change takes effect. Or send an earlier moment.',
  },
  'organization-closed': {
    title: 'The organization is closed',
    meaning: 'An operator has closed the organization. A closed organization accepts almost no commands.',
    remedy: 'Ask an operator to reopen the organization. Then send the command again.',
  },
  'override-ended': {
    title: 'The override would have ended already',
    meaning: 'The field `until` of the override is a moment in the past.',
    remedy: 'Send a moment in the future, or send the command without `until`.',
  },
  'purchase-cancelled': {
    title: 'The purchase was cancelled',
    meaning: 'The purchase with this id was cancelled. A cancelled purchase cannot change.',
    remedy: 'Buy the add-on again. A new purchase needs a new id.',
  },
  'unknown-add-on': {
    title: 'The add-on is not for sale',
    meaning: 'The catalogue of this installation sells no add-on with this name.',
    remedy: 'Send one of the add-ons in the field `known`.',
  },
  'unknown-plan': {
    title: 'The plan is not for sale',
    meaning: 'The catalogue of this installation sells no plan with this name on this line.',
    remedy: 'Send one of the plans in the field `known`.',
  },
} as const satisfies Readonly<Record<RefusalReason, ProblemText>>;

/** The texts for an entry of a list that does not exist, such as a site. */
function noSuchEntries(): Readonly<Record<`no-such-${Entry}`, ProblemText>> {
  const texts = each(entries, (entry) => ({
    title: `There is no such ${entry}`,
    meaning: `The list of the organization contains no ${entry} with this id. Another request may have removed it.`,
    remedy: `Read the list again, and send the id of a ${entry} that the list contains.`,
  }));
  return Object.fromEntries(Object.entries(texts).map(([entry, text]) => [`no-such-${entry}`, text])) as never;
}
