import { hash } from 'node:crypto';
import { type HeldPlan, ProductLine, sortedJson } from '@charter/organization';

/** The plan and the terms that a tag stands for. `version` is a hash of the terms. */
export type TaggedTerms = Readonly<{ line: ProductLine; plan: string; version: string }>;

/** The beginning of all tags about terms. */
export const TERMS_TAGS = 'terms:';

/**
 * The tag of an organization that holds a plan on these terms. With the tags, the read model counts the holders of each
 * plan and of each version of its terms, without reading the organizations.
 */
export const termsTag = ({ line, plan, terms }: Pick<HeldPlan, 'line' | 'plan' | 'terms'>): string =>
  `${TERMS_TAGS}${versionOf(terms)}:${line}/${plan}`;

/** The plan and the version of the terms in a tag; undefined if the text is not a tag about terms. */
export function heldTermsOf(tag: string): TaggedTerms | undefined {
  const [, version, line, plan] = /^terms:([0-9a-f]{16}):([a-z]+)\/(.+)$/s.exec(tag) ?? [];
  const known = ProductLine.safeParse(line);
  return known.success ? { line: known.data, plan: plan!, version: version! } : undefined;
}

/**
 * Terms with the same values have the same version, whatever the order of their fields. The process caches versions,
 * because most organizations hold the same few terms.
 */
function versionOf(terms: HeldPlan['terms']): string {
  const text = JSON.stringify(terms);
  const known = versions.get(text);
  if (known !== undefined) return known;
  const version = hash('sha256', sortedJson(terms));
  if (versions.size >= VERSIONS_MAX) versions.clear();
  versions.set(text, version.slice(0, VERSION_DIGITS));
  return version.slice(0, VERSION_DIGITS);
}
const versions = new Map<string, string>();
const VERSIONS_MAX = 1_000;
const VERSION_DIGITS = 16;
