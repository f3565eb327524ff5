import { type Folded, emptyStream } from '@charter/decider';
import type { Organization } from '@charter/organization';
import fc from 'fast-check';
import { anyLife, decider } from '../../organization/src/testing/any-history.testing';
import { answersOf, exampleOrganization, printing, printingOf, queries, tagAt, tagOf } from './etag';
import type * as view from './index';
import type { OrganizationQuery } from './organization-query';
import { entitlementKeys } from './printed-entitlements';

const at = '2026-11-20T00:00:00.000Z';
const before = '2026-11-19T00:00:00.000Z';

const nothing = emptyStream(decider) as Folded<Organization>;
const organization = (revision: number, until: string | null = null): Folded<Organization> => ({
  ...{ ...nothing, revision },
  state: { ...nothing.state, override: { reason: 'a favour', until, event: 1, at } },
});

const names: ReadonlySet<string> = new Set(entitlementKeys);

/**
 * The keys of a printed value. Limits and features share one key `*`, and so do list positions; values are left out.
 */
function keysOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).filter(([, each]) => each !== undefined);
  const name = (key: string) => (Array.isArray(value) || names.has(key) ? '*' : key);
  return [path, ...inner.flatMap(([key, each]) => keysOf(each, `${path}/${name(key)}`))];
}

/** The exports that make a question. The compiler refuses a forgotten one. */
const exportedQueries: {
  readonly [
    Name in keyof typeof view as (typeof view)[Name] extends (...given: never[]) => OrganizationQuery<object>
      ? Name
      : never
  ]: true;
} = { publicDocument: true, entitlements: true, entitlement: true, recipients: true, singleSignOn: true };

describe('ETag', () => {
  it('starts with the revision and ends with a hash of the printed fields', () => {
    expect(tagOf(organization(42), at)).toBe(`"42-${printing()}"`);
    expect(tagAt(42)).toBe(`"42-${printing()}"`);
    expect(printing()).toMatch(/^[0-9a-f]{8}$/);
  });

  it('changes when an override ends without its event', () => {
    expect(tagOf(organization(42, at), before)).toBe(tagAt(42));
    expect(tagOf(organization(42, at), at)).toBe(`"42-${printing()}-e"`);
  });

  it('contains the moment of a query about an earlier moment', () => {
    expect(tagOf(organization(42), at, before)).toBe(`"42-${printing()}-v${Date.parse(before)}"`);
  });

  it('changes with any printed key, at any depth, and with the order of keys', () => {
    const printed = { name: 'Acme', sites: [{ hostname: 'shop.test' }] };
    const others = [
      { ...printed, country: null },
      { name: 'Acme' },
      { ...printed, sites: [{ hostname: 'shop.test', live: true }] },
      { sites: printed.sites, name: 'Acme' },
    ];
    const hashes = [printed, ...others].map((each) => printingOf([each]));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(printingOf([structuredClone(printed)])).toBe(hashes[0]);
  });

  it('uses every query of this library', () => {
    expect(Object.keys(queries).toSorted()).toEqual(Object.keys(exportedQueries).toSorted());
  });

  it('uses an example that prints every key that any organization prints', () => {
    const known = new Set(keysOf(answersOf(exampleOrganization, exampleOrganization.at)));
    fc.assert(
      fc.property(anyLife, ({ scenes }) => {
        const { after, revision, context } = scenes.at(-1)!;
        const printed = keysOf(answersOf({ state: after, revision, at: context.at }, context.at));
        expect(printed.filter((key) => !known.has(key))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
