import { accountProblems } from './types/account-problems';
import { billingProblems } from './types/billing-problems';
import { commandLineProblems } from './types/command-line-problems';
import { historyProblems } from './types/history-problems';
import { organizationProblems } from './types/organization-problems';
import type { ProblemText } from './types/problem-text';
import { requestProblems } from './types/request-problems';

/** The problem types by subject, in the order of the page `/problems`. */
export const problemGroups = [
  { name: 'Requests', types: requestProblems },
  { name: 'Organizations', types: organizationProblems },
  { name: 'Accounts', types: accountProblems },
  { name: 'Billing', types: billingProblems },
  { name: 'Histories and the read model', types: historyProblems },
  { name: 'The command line', types: commandLineProblems },
] as const satisfies readonly Readonly<{ name: string; types: Readonly<Record<string, ProblemText>> }>[];

/** The reason of a problem: the last part of its type. Each reason has a row in one of the tables. */
export type ProblemReason = KeysOfEach<(typeof problemGroups)[number]['types']>;
/** The keys of each type in a union. `keyof` alone gives only the keys that all types have. */
type KeysOfEach<Tables> = Tables extends unknown ? keyof Tables : never;

/** The texts about each problem type. */
export const problemTypes = Object.assign({}, ...problemGroups.map(({ types }) => types)) as Readonly<
  Record<ProblemReason, ProblemText>
>;

/** The reasons of all problem types. */
export const problemReasons = Object.keys(problemTypes) as readonly ProblemReason[];

export const isProblemReason = (reason: string): reason is ProblemReason => Object.hasOwn(problemTypes, reason);
