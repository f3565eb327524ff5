import { type Immutable, type Refusal, refuse } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext } from '../decision';
import { allEntries, type SaleEntry } from './entries';

/** The terms of an earlier sale to the organization. `termsOf` is the revision of the event that records this sale. */
export const TermsOf = z.strictObject({ termsOf: z.int().min(0) });
export type TermsOf = z.infer<typeof TermsOf>;

/**
 * The terms that a command names: either all terms, or the revision of an earlier sale whose terms apply. Only a
 * signed-in operator may name terms; for API keys and billing, the catalogue's terms apply.
 * @param termsIn the terms of a sale; undefined if the sale is about another plan or add-on
 */
export function namedTerms<Named extends object, What>(
  named: Named | TermsOf,
  entries: readonly Immutable<SaleEntry<What>>[],
  termsIn: (what: Immutable<What>) => Named | undefined,
  { roles }: Pick<DecisionContext, 'roles'>,
): Readonly<{ terms: Named }> | Refusal<'not-allowed' | 'no-such-sale'> {
  if (!roles.includes('operator'))
    return refuse('not-allowed', 'Only an operator can name terms in a command.', { takes: ['operator'] });
  if (!isTermsOf(named)) return { terms: named };
  const what = allEntries(entries).find(({ event }) => event === named.termsOf)?.what;
  const terms = what ? termsIn(what) : undefined;
  return terms
    ? { terms }
    : refuse('no-such-sale', `Event ${named.termsOf} is not a sale of the same plan or add-on to the organization.`);
}

export const isTermsOf = (named: object): named is TermsOf => 'termsOf' in named;
