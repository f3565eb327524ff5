import { type Folded, emptyStream } from '@charter/decider';
import type { Organization } from '@charter/organization';
import fc from 'fast-check';
import { z } from 'zod';
import { shop } from '../../organization/src/testing/organization.testing';
import { anyLife, decider } from '../../organization/src/testing/any-history.testing';
import { answerSchemas, answerSchemasHash, hashOfSchemas, tagAt, tagOf } from './etag';
import type * as view from './index';
import type { OrganizationQuery } from './organization-query';
import { entitlement, entitlementKeys, entitlements } from './printed-entitlements';
import { publicDocument, recipients } from './public-document';
import { singleSignOn } from './single-sign-on';
import { oneSite } from './sites/one-site';
import { siteList } from './sites/site-list';

const ID = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const at = '2026-11-20T00:00:00.000Z';
const before = '2026-11-19T00:00:00.000Z';

const nothing = emptyStream(decider) as Folded<Organization>;
const organization = (revision: number, until: string | null = null): Folded<Organization> => ({
  ...{ ...nothing, revision },
  state: { ...nothing.state, override: { reason: 'a favour', until, event: 1, at } },
});

/** The queries whose answers have an ETag. If a query is missing here, this file does not compile. */
const queries: {
  readonly [
    Name in keyof typeof view as (typeof view)[Name] extends (...given: never[]) => OrganizationQuery<object | null>
      ? Name
      : never
  ]: readonly OrganizationQuery<object | null>[];
} = {
  publicDocument: [publicDocument(ID, 'product')],
  entitlements: [entitlements(ID)],
  entitlement: entitlementKeys.map((key) => entitlement(ID, key)),
  recipients: [recipients(ID)],
  oneSite: [oneSite(ID, ID), oneSite(ID, shop)],
  siteList: [siteList(ID, { sort: 'name', after: undefined, limit: 1 })],
  singleSignOn: [singleSignOn({ callback: 'callback', start: 'start' })],
};

describe('ETag', () => {
  it('consists of the revision and a hash of the printed fields', () => {
    expect(tagOf(organization(42), at)).toBe(`"42-${answerSchemasHash()}"`);
    expect(tagAt(42)).toBe(`"42-${answerSchemasHash()}"`);
    expect(answerSchemasHash()).toMatch(/^[0-9a-f]{8}$/);
  });

  it('changes when an override has ended, even without an event', () => {
    expect(tagOf(organization(42, at), before)).toBe(tagAt(42));
    expect(tagOf(organization(42, at), at)).toBe(`"42-${answerSchemasHash()}-e"`);
  });

  it('contains the moment `valid` if the query names one', () => {
    expect(tagOf(organization(42), at, before)).toBe(`"42-${answerSchemasHash()}-v${Date.parse(before)}"`);
  });

  it('changes when the answer schema gets another field, type or order of fields, but not when only a description changes', () => {
    const [name, hostname] = [z.string(), z.string()];
    const printed = { name, sites: z.array(z.strictObject({ hostname })) };
    const others = [
      { ...printed, country: z.string().nullable() },
      { name },
      { ...printed, sites: z.array(z.strictObject({ hostname, live: z.boolean() })) },
      { sites: printed.sites, name },
      { ...printed, name: name.nullable() },
    ];
    const hashes = [printed, ...others].map((each) => hashOfSchemas([z.strictObject(each)]));
    expect(new Set(hashes).size).toBe(hashes.length);
    const described = { ...printed, name: name.meta({ description: 'The name', examples: ['Acme'] }) };
    expect(hashOfSchemas([z.strictObject(described)])).toBe(hashes[0]);
  });

  it('depends on the answer schema of every query of this library', () => {
    expect(Object.keys(answerSchemas()).toSorted()).toEqual(Object.keys(queries).toSorted());
  });

  it('is computed from schemas that all answers about organizations match', () => {
    const schemas = Object.entries(answerSchemas()) as [keyof typeof queries, z.ZodType][];
    fc.assert(
      fc.property(anyLife, ({ scenes }) => {
        const { after, revision, context } = scenes.at(-1)!;
        for (const [name, schema] of schemas)
          for (const query of queries[name]) {
            const answer = query({ state: after, revision, at: context.at }, context.at);
            expect([name, schema.safeParse(answer).error]).toEqual([name, undefined]);
          }
      }),
      { numRuns: 60 },
    );
  });
});
