import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { INTERCEPTORS_METADATA } from '@nestjs/common/constants';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '@charter/settings';
import type { z } from 'zod';
import {
  answerSchemaFor,
  type AnswerSchema,
  type Declaration,
  type DeclaredAnswer,
  declarationOf,
  NDJSON_TYPE,
  type Permission,
} from './declared-answers';
import { IdempotencyInterceptor } from './idempotency';
import { sessionCookieName } from './input/cookies';
import { LAG, LAG_EVENTS } from './lag-headers';
import { exampleOf, headerReferences, headers, referenceTo } from './openapi-components';
import { isOfrep, OfrepFailure } from './problems/ofrep-failure';
import { Problem } from './problems/problem-schema';

export type Published = Pick<Settings, 'release' | 'productKey' | 'publicUrl'> & Readonly<{ demo?: boolean }>;

/** The OpenAPI 3.1 document, which is generated from the schemas of requests and answers (`api.md`). */
export function openApi(
  app: INestApplication,
  { release, productKey, publicUrl, demo = false }: Published,
): OpenAPIObject {
  const built = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Charter')
    .setDescription(demo ? `${about} **Demo mode: this store was founded with example organizations.**` : about)
    .setVersion(release)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addSecurity('bearer', { type: 'http', scheme: 'bearer', description: 'An API key: chk_…' })
    .addSecurity('cookieAuth', {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName({ publicUrl }),
      description: 'The session of a signed-in person; a write also needs the header X-XSRF-TOKEN',
    })
    .build();
  const document = SwaggerModule.createDocument(app, built);
  const components = new Map<string, object>();
  const refer = (schema: z.ZodType) => referenceTo(schema, components);
  const schemaFor = (schema: AnswerSchema) => answerSchemaFor(schema, productKey);
  const failures = { problem: refer(Problem), ofrep: refer(OfrepFailure) };
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations) as [string, Operation][])
      if (typeof operation === 'object' && 'responses' in operation)
        describe(
          operation,
          { path, isRead: method === 'get' },
          (answer) => responseOf(answer, schemaFor, refer),
          failures,
        );
  const schemas = { ...document.components?.schemas, ...Object.fromEntries(components) };
  return { ...document, components: { ...document.components, schemas, headers } };
}

const about = 'Organizations, their members, sites, plans, add-ons and limits: what each organization may do, and why.';

type Operation = {
  operationId: string;
  description?: string;
  responses: object;
  parameters?: object[];
  security?: object[];
};

/** Adds the allowed callers, the accepted headers and the answers to an operation. */
function describe(
  operation: Operation,
  at: Place,
  responseTo: (answer: DeclaredAnswer) => Response,
  failures: Readonly<{ problem: object; ofrep: object }>,
): void {
  const declared = declarationOf(operation.operationId);
  if (!declared) return;
  const { may, answers } = declared;
  const [security, sentence] = permissionOf(may);
  if (security) operation.security = security;
  operation.description = [operation.description, sentence].filter(Boolean).join(' ');
  const hasTag = at.isRead || 304 in answers;
  if (may !== 'everyone')
    operation.parameters = [...(operation.parameters ?? []), ...(hasTag ? [ifNoneMatch] : writeHeadersOf(declared))];

  const everywhere = ['Request-Id', ...(/^\/(api|ofrep)\/v1\//.test(at.path) ? [LAG, LAG_EVENTS] : [])];
  const responses: Record<string, Response> = {};
  for (const [status, answer] of Object.entries(answers)) {
    const { headers: own = [] } = answer;
    responses[status] = { ...responseTo(answer), headers: headerReferences([...everywhere, ...own]) };
  }
  for (const status of problemStatuses(declared, at))
    responses[status] = {
      description: problemDescriptions[status]!,
      ...responses[status],
      headers: headerReferences([...everywhere, ...(problemHeaders[status] ?? [])]),
      ...failureContent(at, failures, status, responses[status]?.content),
    };
  responses['default'] = {
    description: isOfrep(at.path) ? 'A failed evaluation (OFREP)' : 'A problem document (RFC 9457)',
    headers: headerReferences(everywhere),
    ...failureContent(at, failures),
  };
  operation.responses = responses;
}

/**
 * The content of a failed request: a problem document or, on OFREP's routes, OFREP's form of a failure. OFREP defines
 * no body for the statuses 401 and 403.
 */
function failureContent(
  { path }: Place,
  { problem, ofrep }: Readonly<{ problem: object; ofrep: object }>,
  status?: number,
  content?: object,
): { content?: object } {
  if (!isOfrep(path))
    return {
      content: {
        ...content,
        'application/problem+json': { schema: problem, ...(status === undefined && { example: exampleOf(Problem) }) },
      },
    };
  if (status === 401 || status === 403) return {};
  return { content: { 'application/json': { schema: ofrep, example: exampleOf(OfrepFailure) } } };
}
type Response = { description: string; headers?: object; content?: object };
type Place = Readonly<{ path: string; isRead: boolean }>;

/**
 * The statuses of the problems that an operation declares, and of the problems that the request pipeline sends for any
 * operation.
 */
export function problemStatuses(
  { may, problems }: Pick<Declaration, 'may' | 'problems'>,
  { path, isRead }: Place,
): readonly number[] {
  const isWrite = may !== 'everyone' && !isRead && !isOfrep(path);
  const all = [
    ...[400, 413, 415, 429, 500, 503],
    ...(may === 'everyone' ? [] : [401, 403]),
    ...(isRead ? [] : [403]), // the problem for a request that another site caused
    ...(/[{:]/.test(path) ? [404] : []),
    ...(isWrite && Array.isArray(may) ? [409, 412, 422] : []), // the operation accepts If-Match and Idempotency-Key
    ...(may === 'each command by its own rule' ? [409, 412, 422] : []),
    ...problems,
  ];
  return [...new Set(all)].sort((one, other) => one - other);
}

const problemDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  401: 'The request has no valid credentials',
  403: 'The caller lacks the permission, or another website may have caused the request',
  404: 'Nothing exists at this URL, or the caller may not see it',
  409: 'A rule of Charter refuses the request, for example because a limit is reached',
  412: 'The organization has changed since the revision in `If-Match`',
  413: 'The request is too large',
  415: 'The body is not JSON in UTF-8',
  422: 'The `Idempotency-Key` was used for another request',
  429: 'Too many requests or attempts',
  500: 'An unexpected error of Charter',
  503: 'Charter cannot answer at the moment',
};
const problemHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function permissionOf(may: Permission): readonly [security: object[] | undefined, sentence: string] {
  if (may === 'everyone') return [undefined, ''];
  if (may === 'people') return [[{ cookieAuth: [] }], 'For a signed-in person. API keys are refused.'];
  if (may === 'operators') return [[{ cookieAuth: ['operator'] }], 'For a signed-in operator. API keys are refused.'];
  if (typeof may === 'string')
    return [[{ bearer: [] }, { cookieAuth: [] }], 'Each command requires its own permission.'];
  const [scopes, roles] = [may.filter(isScope), may.filter((one) => !isScope(one))];
  const names = (those: readonly string[]) => those.map((one) => `\`${one}\``).join(', ');
  if (scopes.length === 0)
    return [
      [{ cookieAuth: roles }],
      `For a signed-in person with one of the roles ${names(roles)}. API keys are refused.`,
    ];
  return [
    [{ bearer: scopes }, { cookieAuth: roles }],
    `For a key with scope ${names(scopes)}, or ${roles.length === 0 ? 'any signed-in person' : `a signed-in person with one of the roles ${names(roles)}`}.`,
  ];
}
const isScope = (permission: string) => permission.includes(':');

function responseOf(
  { description, content, example }: DeclaredAnswer,
  schemaFor: (schema: AnswerSchema) => z.ZodType,
  refer: (schema: z.ZodType) => object,
): Response {
  if (!content) return { description };
  const media = Object.entries(content).map(([type, answer]) => {
    const schema = schemaFor(answer);
    return [type, mediaOf(type, refer(schema), example ?? exampleOf(schema))] as const;
  });
  return { description, content: Object.fromEntries(media) };
}

/** An answer in one media type: its schema and an example. */
function mediaOf(type: string, reference: object, example: unknown) {
  if (type !== NDJSON_TYPE) return { schema: reference, ...(example !== undefined && { example }) };
  return {
    schema: { type: 'string', contentMediaType: NDJSON_TYPE, contentSchema: reference },
    ...(example !== undefined && { example: `${JSON.stringify(example)}\n` }),
  };
}

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});
const idempotencyKey = header(
  'Idempotency-Key',
  'A repeated request with the same key and body gets the first answer, without a time limit',
);
const ifMatch = header(
  'If-Match',
  'The ETag of an earlier answer; 412 if the organization has changed since that answer',
);

/** `Idempotency-Key` and `If-Match`, if the operation stores its answers. Other operations ignore both headers. */
const writeHeadersOf = ({ controller, handler }: Declaration): readonly object[] => {
  const interceptors = [controller, handler].flatMap(
    (target) => (Reflect.getMetadata(INTERCEPTORS_METADATA, target) ?? []) as readonly unknown[],
  );
  return interceptors.includes(IdempotencyInterceptor) ? [idempotencyKey, ifMatch] : [];
};
const ifNoneMatch = header('If-None-Match', 'The ETag of an earlier answer; 304 if the answer would be the same');
