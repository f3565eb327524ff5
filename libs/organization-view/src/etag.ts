import { createHash } from 'node:crypto';
import type { Folded, Moment } from '@charter/decider';
import { type Organization, stateVersion } from '@charter/organization';
import { z } from 'zod';
import { EntitlementAnswer, EntitlementsAnswer } from './printed-entitlements';
import { publicDocumentSchema, RecipientsAnswer } from './public-document';
import { SingleSignOnAnswer } from './single-sign-on';

/**
 * The ETag of an answer: the revision, which `If-Match` compares, followed by everything else on which the answer
 * depends. These are the fields that this release prints, an override that has ended without an event (`e`), and the
 * moment `valid` (`v…`).
 */
export function tagOf({ revision, state }: Folded<Organization>, at: Moment, valid?: Moment): string {
  const ended = state.override?.until != null && state.override.until <= at;
  const validly = valid === undefined ? '' : `-v${Date.parse(valid)}`;
  return `"${revision}-${printing()}${ended ? '-e' : ''}${validly}"`;
}

/** The ETag in the answer to a write, which is the ETag of the organization at this revision. */
export const tagAt = (revision: number): string => `"${revision}-${printing()}"`;

/**
 * A short hash of the printed fields and of the state's version. A release that prints a new field, or that folds the
 * same events into another state, changes the hash, so that no client keeps the older answer.
 */
export const printing = (): string => (printingHash ??= printingOf(Object.values(answerSchemas())));
let printingHash: string | undefined;

export const printingOf = (schemas: readonly z.ZodType[]): string =>
  createHash('sha256')
    .update(JSON.stringify([stateVersion, ...schemas.map(shapeOf)]))
    .digest('hex')
    .slice(0, 8);

/** The fields and their types. Descriptions and examples are left out, because they do not change an answer. */
const shapeOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.description;
      delete jsonSchema.examples;
    },
  });

/** The schemas of the answers that have an ETag, by the names of the functions that make these answers. */
export const answerSchemas = () => ({
  publicDocument: publicDocumentSchema('product'),
  entitlements: EntitlementsAnswer,
  entitlement: EntitlementAnswer,
  recipients: RecipientsAnswer,
  singleSignOn: SingleSignOnAnswer,
});
