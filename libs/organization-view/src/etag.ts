import { createHash } from 'node:crypto';
import type { Folded, Moment } from '@charter/decider';
import { type Organization, stateVersion } from '@charter/organization';
import { z } from 'zod';
import { EntitlementAnswer, EntitlementsAnswer } from './printed-entitlements';
import { publicDocumentSchema, RecipientsAnswer } from './public-document';
import { SingleSignOnAnswer } from './single-sign-on';
import { SiteAnswer } from './sites/one-site';
import { SitesPart } from './sites/site-list';

/**
 * The ETag of an answer. The ETag begins with the revision, which `If-Match` compares. A hash of the fields that this
 * release prints follows the revision. The ETag also contains `e` if an override has ended without an event. The ETag
 * also contains `v` and the moment `valid` if the query names such a moment.
 */
export function tagOf({ revision, state }: Folded<Organization>, at: Moment, valid?: Moment): string {
  const ended = state.override?.until != null && state.override.until <= at;
  const validly = valid === undefined ? '' : `-v${Date.parse(valid)}`;
  return `"${revision}-${answerSchemasHash()}${ended ? '-e' : ''}${validly}"`;
}

/**
 * The ETag in the answer to a write. The ETag equals the ETag of the organization's document at the revision after the
 * write.
 */
export const tagAt = (revision: number): string => `"${revision}-${answerSchemasHash()}"`;

/**
 * A short hash of the fields in answers and of the state's version. A new release changes the hash if it adds a field,
 * or if it folds the same events into another state. Because of the hash, no client uses a cached answer of an older
 * release.
 */
export const answerSchemasHash = (): string => (cachedHash ??= hashOfSchemas(Object.values(answerSchemas())));
let cachedHash: string | undefined;

export const hashOfSchemas = (schemas: readonly z.ZodType[]): string =>
  createHash('sha256')
    .update(JSON.stringify([stateVersion, ...schemas.map(shapeOf)]))
    .digest('hex')
    .slice(0, 8);

/**
 * The fields of an answer and their types. Descriptions and examples are removed, because they do not change an answer.
 */
const shapeOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.description;
      delete jsonSchema.examples;
    },
  });

/**
 * The schemas of the answers that have an ETag. Each field's name is the name of the function that makes the answer.
 */
export const answerSchemas = () => ({
  publicDocument: publicDocumentSchema('product'),
  entitlements: EntitlementsAnswer,
  entitlement: EntitlementAnswer,
  recipients: RecipientsAnswer,
  singleSignOn: SingleSignOnAnswer,
  oneSite: SiteAnswer.nullable(),
  siteList: SitesPart,
});
