import { z } from 'zod';
import type { Answer } from '../support/requests/http';

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

/** Checks an answer of an evaluation route. @throws if the protocol does not allow the answer */
export function expectProtocol(route: 'one' | 'all', { status, headers, text, body }: Answer): void {
  expect(status).toBeLessThan(500);
  if (status === 200) {
    (route === 'one' ? Evaluated : EvaluatedList).parse(body);
    expect(headers.etag !== undefined).toBe(route === 'all');
  } else if ([304, 401, 403].includes(status)) {
    expect(text).toBe('');
    expect(status === 304 ? route : 'all').toBe('all');
  } else (route === 'one' ? FlagFailure : Failure).parse(body);
  if (status === 429) expect(headers['retry-after']).toMatch(/^\d+$/);
}
