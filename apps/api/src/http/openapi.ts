import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Settings } from '@charter/settings';
import type { z } from 'zod';
import {
  type AnswerHeader,
  answerSchemaFor,
  type AnswerSchema,
  type Declaration,
  type DeclaredAnswer,
  declarationOf,
  type HeaderName,
  NDJSON_TYPE,
  type Permission,
  type PermissionByCommand,
} from './declared-answers';
import { sessionCookieName } from './input/cookies';
import { LAG, LAG_EVENTS } from './lag-headers';
import { exampleOf, headerComponents, headerReferences, nameOf, referenceTo } from './openapi-components';
import { Problem } from './problems/problem-schema';

type Published = Pick<Settings, 'release' | 'productKey' | 'publicUrl'> & Readonly<{ demo?: boolean }>;

/** OpenAPI 3.1, made from the schemas of requests and answers, and its reference page (`api.md`). */
export function publishOpenApi(app: INestApplication, published: Published): void {
  SwaggerModule.setup('api/docs', app, openApi(app, published), {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Charter: the interface',
    customfavIcon: '/favicon.ico',
    swaggerOptions: { persistAuthorization: false, tryItOutEnabled: false, validatorUrl: null },
  });
}

function openApi(app: INestApplication, { release, productKey, publicUrl, demo = false }: Published): OpenAPIObject {
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
      description: 'A person who signed in; a write also takes the header X-XSRF-TOKEN',
    })
    .build();
  const document = SwaggerModule.createDocument(app, built);
  const components = new Map<string, object>();
  const refer = (schema: z.ZodType) => referenceTo(schema, components);
  const schemaFor = (schema: AnswerSchema) => answerSchemaFor(schema, productKey);
  const problem = refer(Problem);
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations) as [string, Operation][])
      if (typeof operation === 'object' && 'responses' in operation)
        describe(
          operation,
          { path, isRead: method === 'get' },
          (answer) => responseOf(answer, schemaFor, refer),
          problem,
        );
  const schemas = { ...document.components?.schemas, ...Object.fromEntries(components) };
  return { ...document, components: { ...document.components, schemas, headers: headerComponents } };
}

const about = 'Organizations, their members, sites, plans, add-ons and limits: what they may do, and why.';

type Operation = {
  operationId: string;
  description?: string;
  responses: object;
  parameters?: object[];
  security?: object[];
};

/** Writes into an operation who may call it, the headers that it takes, and each of its answers. */
function describe(
  operation: Operation,
  at: OperationRoute,
  responseTo: (answer: DeclaredAnswer) => Response,
  problem: object,
): void {
  const declared = declarationOf(operation.operationId);
  if (!declared) return;
  const { may, answers } = declared;
  const [security, sentence] = permissionOf(may);
  if (security) operation.security = security;
  operation.description = [operation.description, sentence].filter(Boolean).join(' ');
  if (may !== 'everyone')
    operation.parameters = [...(operation.parameters ?? []), ...(at.isRead ? [ifNoneMatch] : writeHeaders)];

  const problemResponse = { content: { 'application/problem+json': { schema: problem } } };
  const responses: Record<string, Response> = {};
  for (const [status, answer] of Object.entries(answers)) {
    responses[status] = { ...responseTo(answer), headers: headerReferences(headersOfAnswer(answer, at)) };
  }
  for (const status of problemStatuses(declared, at))
    responses[status] = {
      description: problemDescriptions[status]!,
      ...responses[status],
      headers: { ...headerReferences(headersOfProblem(status, at, answers)), ...responses[status]?.headers },
      content: { ...responses[status]?.content, ...problemResponse.content },
    };
  responses['default'] = {
    description: 'A problem (RFC 9457)',
    headers: headerReferences(headersOfProblem(500, at, answers)),
    content: { 'application/problem+json': { schema: problem, example: exampleOf(Problem) } },
  };
  operation.responses = responses;
}
type Response = { description: string; headers?: object; content?: object };
type OperationRoute = Readonly<{ path: string; isRead: boolean }>;

/** The problems that the request pipeline answers with, whatever the operation, and those that it declares. */
export function problemStatuses(
  { may, problems }: Pick<Declaration, 'may' | 'problems'>,
  { path, isRead }: OperationRoute,
): readonly number[] {
  const isWrite = may !== 'everyone' && !isRead;
  const all = [
    ...[400, 413, 415, 429, 500, 503],
    ...(may === 'everyone' ? [] : [401, 403]),
    ...(isRead ? [] : [403]), // a forged request
    ...(/[{:]/.test(path) ? [404] : []),
    ...(isWrite && typeof may !== 'string' ? [409, 412, 422] : []), // If-Match and Idempotency-Key
    ...problems,
  ];
  return [...new Set(all)].sort((one, other) => one - other);
}

const problemDescriptions: Readonly<Record<number, string>> = {
  400: 'The request is malformed',
  401: 'The request proves no caller',
  403: 'The caller is not allowed, or the request is forged',
  404: 'It is not there, or not for this caller',
  409: 'A rule refuses it',
  412: '`If-Match` is stale',
  413: 'The request is too large',
  415: 'The body is not JSON in UTF-8',
  422: 'The `Idempotency-Key` was used for another request',
  429: 'Too much at once',
  500: 'An error of the service',
  503: 'The service cannot answer at the moment',
};
/** The headers of an answer that the operation declares. */
export const headersOfAnswer = (
  { headers = [] }: DeclaredAnswer,
  { path }: OperationRoute,
): readonly AnswerHeader[] => [
  'Request-Id',
  ...(isVersioned(path) ? ([LAG, `${LAG_EVENTS}?`] as const) : []),
  ...headers,
];

/**
 * The headers of a problem. One that is refused before its route knows no lag. After the work of the route, a failure
 * may carry what the route has set.
 */
export const headersOfProblem = (
  status: number,
  { path }: OperationRoute,
  answers: Declaration['answers'],
): readonly AnswerHeader[] => {
  const ofRoute = Object.values(answers).flatMap(({ headers = [] }) => headers.map(nameOf));
  const own = problemHeaders[status] ?? [];
  return [
    'Request-Id',
    ...(isVersioned(path) ? ([`${LAG}?`, `${LAG_EVENTS}?`] as const) : []),
    ...(status < 500 ? [] : [...new Set(ofRoute)].filter((name) => !own.includes(name)).map(optional)),
    ...own,
  ];
};
const optional = (name: HeaderName) => `${name}?` as const;
const isVersioned = (path: string) => path.startsWith('/api/v1/');

const problemHeaders: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate?'], // not for a wrong password
  403: ['Set-Cookie?'], // a new XSRF token
  415: ['Accept-Encoding?'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function permissionOf(may: Permission): readonly [security: object[] | undefined, sentence: string] {
  if (may === 'everyone') return [undefined, ''];
  if (may === 'people') return [[{ cookieAuth: [] }], 'For a signed-in person; no key calls it.'];
  if (may === 'operators') return [[{ cookieAuth: ['operator'] }], 'For a signed-in operator; no key calls it.'];
  if (!isList(may)) return permissionByCommand(may);
  const [scopes, roles] = [may.filter(isScope), may.filter((one) => !isScope(one))];
  return [[{ bearer: scopes }, { cookieAuth: roles }], `For ${callersText(may)}.`];
}

/** Alternatives for keys and for people: which of them a request needs depends on its commands. */
function permissionByCommand(may: PermissionByCommand): readonly [security: object[], sentence: string] {
  const byCallers = Map.groupBy(Object.keys(may), (command) => callersText(may[command]!));
  const alternatives = [...new Map(Object.values(may).map((callers) => [callersText(callers), callers])).values()];
  const sentences = [...byCallers].map(([callers, commands]) => `${namesOf(commands)}: ${callers}.`);
  return [
    [
      ...alternatives.map((callers) => ({ bearer: callers.filter(isScope) })),
      ...alternatives.map((callers) => ({ cookieAuth: callers.filter((one) => !isScope(one)) })),
    ],
    ['Each command takes its own permission, and a request needs those of all its commands.', ...sentences].join(' '),
  ];
}

const callersText = (may: readonly string[]) =>
  `a key with scope ${namesOf(may.filter(isScope))}, or a signed-in person with one of the roles ${namesOf(may.filter((one) => !isScope(one)))}`;
const namesOf = (those: readonly string[]) => those.map((one) => `\`${one}\``).join(', ');
const isList = (may: Permission): may is readonly string[] => Array.isArray(may);
const isScope = (permission: string) => permission.includes(':');

function responseOf(
  { description, content }: DeclaredAnswer,
  schemaFor: (schema: AnswerSchema) => z.ZodType,
  refer: (schema: z.ZodType) => object,
): Response {
  if (!content) return { description };
  const media = Object.entries(content).map(([type, answer]) => {
    const schema = schemaFor(answer);
    return [type, mediaOf(type, refer(schema), schema)] as const;
  });
  return { description, content: Object.fromEntries(media) };
}

/** An answer in one media type, with its schema and an example. */
function mediaOf(type: string, reference: object, schema: z.ZodType) {
  const example = exampleOf(schema);
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
const writeHeaders = [
  header('Idempotency-Key', 'The same key and body get the same answer, for ever'),
  header('If-Match', 'The ETag that the caller saw; 412 if the organization has moved on'),
];
const ifNoneMatch = header('If-None-Match', 'The ETag that the caller has; 304 if it still holds');
