import type { Charter } from '@charter/application';
import { heldPlans, type ProductLine } from '@charter/organization';
import { heldTermsOf, type TaggedTerms, termsTag, TERMS_TAGS } from '@charter/organization-view';
import type { z } from 'zod';
import type { HeldTermsAnswer } from './catalogue.answers';

type HeldTerms = z.infer<typeof HeldTermsAnswer>;
type Terms = HeldTerms['plans'][number]['terms'][number]['terms'];
type CountedVersion = TaggedTerms & Readonly<{ tag: string; holders: number }>;

/**
 * An answer contains the terms of at most this number of plan versions. For each version, Charter may have to read
 * organizations.
 */
const VERSIONS_MAX = 100;

/**
 * To find the terms of a plan version, Charter reads at most this number of organizations that hold the version. The
 * read model does not return the document of a parked organization, so Charter tries the next organization.
 */
const HOLDERS_MAX = 5;

/**
 * For each plan, how many organizations hold the plan, and on which terms. The read model counts the holders of a plan.
 * Charter reads organizations only for terms that today's catalogue does not contain.
 */
export async function heldTerms(
  { view, catalogue }: Pick<Charter, 'view' | 'catalogue'>,
  gone: AbortSignal,
): Promise<HeldTerms> {
  const counted = (await view.tagCounts(TERMS_TAGS))
    .flatMap(({ tag, rows }): readonly CountedVersion[] => {
      const held = heldTermsOf(tag);
      return held ? [{ ...held, tag, holders: rows }] : [];
    })
    .sort((one, other) => other.holders - one.holders);
  const today = new Map(catalogue.plans().map((sold) => [termsTag(sold), sold.terms as Terms]));
  const termsByTag = new Map<string, Terms>();
  for (const { tag } of counted.slice(0, VERSIONS_MAX)) {
    gone.throwIfAborted();
    const terms = today.get(tag) ?? (await termsOfHolder(view, tag));
    if (terms) termsByTag.set(tag, terms);
  }

  const versionsByPlan = Map.groupBy(counted, nameOf);
  const plansForSale = new Map(catalogue.plans().map((sold) => [nameOf(sold), sold]));
  const names = new Set([...plansForSale.keys(), ...[...versionsByPlan.keys()].sort()]);
  return {
    plans: [...names].map((name) => {
      const versions = versionsByPlan.get(name) ?? [];
      const { line, plan } = plansForSale.get(name) ?? versions[0]!;
      const terms = versions.flatMap(({ tag, holders }) => {
        const known = termsByTag.get(tag);
        return known ? [{ today: today.has(tag), holders, terms: known }] : [];
      });
      const more = versions.length - terms.length;
      return {
        ...{ line, plan, forSale: plansForSale.has(name) },
        holders: versions.reduce((sum, { holders }) => sum + holders, 0),
        ...{ versions: versions.length, terms, ...(more > 0 && { more }) },
      };
    }),
  };
}

/** Finds the terms with this tag in an organization that holds a plan on these terms. */
async function termsOfHolder(view: Charter['view'], tag: string): Promise<Terms | undefined> {
  const { rows } = await view.list({ tags: [tag], limit: HOLDERS_MAX });
  for (const { stream } of rows) {
    const document = await view.get(stream);
    const held = document && heldPlans(document.state).find((one) => termsTag(one) === tag);
    if (held) return held.terms as Terms;
  }
  return undefined;
}

const nameOf = ({ line, plan }: Readonly<{ line: ProductLine; plan: string }>) => `${line}/${plan}`;
