import { flagSubjectIn } from '@charter/organization-view';
import { z } from 'zod';
import { AsOf } from '../organizations/organization.requests';

/** The subject of flags, from its text. */
export const TargetingKey = z
  .string()
  .min(1, { error: 'is missing', abort: true })
  .transform((text, context) => {
    const subject = flagSubjectIn(text);
    if (subject) return subject;
    context.addIssue('must be an organization’s id, or ID/sites/SITE, or ID/users/USER');
    return z.NEVER;
  });

/**
 * The body of an OFREP request. The targeting key names the subject, and `asOf` the moment; Charter ignores all other
 * attributes of the context (`flags.md`, Subjects).
 */
export const Evaluation = z
  .object({ context: z.object({ targetingKey: TargetingKey, asOf: z.string().pipe(AsOf).optional() }) })
  .meta({ id: 'FlagEvaluation' });
export type Evaluation = z.infer<typeof Evaluation>;

/**
 * The revision that an answer must include, from the query parameter `flagConfigEtag` of a bulk evaluation. A client
 * copies the parameter from a notice: `r42` demands revision 42. Charter ignores other values (`flags.md`, ETag).
 */
export function revisionIn(flagConfigEtag: unknown): number | undefined {
  const revision = typeof flagConfigEtag === 'string' ? /^"?r(\d{1,15})"?$/.exec(flagConfigEtag)?.[1] : undefined;
  return revision === undefined ? undefined : Number(revision);
}
