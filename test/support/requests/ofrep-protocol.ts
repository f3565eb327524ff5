import { z } from 'zod';
import type { Answer } from './http';

// The answers of OFREP 0.3, written from the protocol's OpenAPI document and not from Charter's schemas.

const Metadata = z.record(z.string(), z.union([z.boolean(), z.string(), z.number()]));
const ErrorCode = z.enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL']);
const Failure = z.looseObject({ errorCode: ErrorCode, errorDetails: z.string().optional() });
const FlagFailure = Failure.extend({ key: z.string() });
const Evaluated = z
  .looseObject({
    key: z.string(),
    value: z.union([z.boolean(), z.string(), z.number(), z.record(z.string(), z.unknown())]).optional(),
    reason: z.enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'UNKNOWN']).optional(),
    variant: z.string().optional(),
    metadata: Metadata.optional(),
  })
  .refine((flag) => !('errorCode' in flag));
const EventStream = z.looseObject({
  type: z.literal('sse'),
  url: z.url().optional(),
  endpoint: z.looseObject({ origin: z.string().optional(), requestUri: z.string() }).optional(),
  inactivityDelaySec: z.int().min(1).optional(),
});
const EvaluatedList = z.looseObject({
  flags: z.array(z.union([Evaluated, FlagFailure])),
  metadata: Metadata.optional(),
  eventStreams: z
    .array(EventStream.refine(({ url, endpoint }) => (url === undefined) !== (endpoint === undefined)))
    .optional(),
});

const ServerFailure = z.looseObject({ errorDetails: z.string().optional() });

/** Why the protocol does not allow this answer of an evaluation route; empty if the protocol allows it. */
export function protocolIssues(route: 'one' | 'all', { status, headers, text, body }: Answer): readonly string[] {
  const issues: string[] = [];
  const parse = (schema: z.ZodType) => {
    const { error } = schema.safeParse(body);
    if (error) issues.push(z.prettifyError(error));
  };
  const requires = (holds: boolean, why: string) => {
    if (!holds) issues.push(why);
  };
  if (status === 200) {
    parse(route === 'one' ? Evaluated : EvaluatedList);
    requires(
      (headers.etag !== undefined) === (route === 'all'),
      'OFREP requires an ETag for all flags, and allows none for one flag.',
    );
  } else if ([304, 401, 403].includes(status)) {
    requires(text === '', `OFREP allows no body with ${status}.`);
    requires(status !== 304 || route === 'all', 'OFREP has no 304 for one flag.');
  } else if (status >= 500) parse(ServerFailure);
  else parse(route === 'one' ? FlagFailure : Failure);
  if (status === 429) requires(/^\d+$/.test(headers['retry-after'] ?? ''), 'The header Retry-After is missing.');
  return issues;
}
