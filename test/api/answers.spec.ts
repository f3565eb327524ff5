import { randomUUID } from 'node:crypto';
import { answerSchemaFor, declarationOf } from '../../apps/api/src/http/declared-answers';
import { OfrepFailure } from '../../apps/api/src/http/problems/ofrep-failure';
import { Problem } from '../../apps/api/src/http/problems/problem-schema';
import { type CheckedRequest, checkAnswer, declaredOperations } from '../support/requests/checked-answers';
import type { Answer } from '../support/requests/http';
import { table } from '../support/requests/permission-table';
import type { Route } from '../support/requests/routes';
import { type Served, serving } from '../support/serving';

/** The roles of the people who may call a route, for each entry of the permission table that allows no API key. */
const rolesOf: Readonly<Record<string, readonly string[]>> = {
  'operators, and no key': ['operator'],
  'owners, and no key': ['owner'],
  'owners and operators, and no key': ['owner', 'operator'],
  'owners, auditors and operators, and no key': ['owner', 'auditor', 'operator'],
};

type Media = Readonly<Record<string, Readonly<{ example?: unknown }>>>;
type Operation = Readonly<{
  operationId: string;
  description?: string;
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  responses: Readonly<Record<string, Readonly<{ content?: Media; headers?: object }>>>;
}>;

let served: Served;
let operations: readonly Readonly<{ route: Route; operation: Operation }>[];
beforeAll(async () => {
  served = await serving();
  const { paths } = (await served.ask('GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}` as Route,
      operation,
    })),
  );
});
afterAll(() => served.close());

const succeeds = (status: string) => /^2\d\d$/.test(status);

describe('Each operation of the OpenAPI document', () => {
  it('declares a successful status, the status 500, and a problem document for all other statuses', () => {
    expect(operations.length).toBeGreaterThanOrEqual(79);
    const without = operations.filter(({ operation: { operationId, responses } }) => {
      const declared = declarationOf(operationId);
      const statuses = Object.keys(responses);
      return !declared || !statuses.some(succeeds) || !statuses.includes('500') || !responses['default'];
    });
    expect(without).toEqual([]);
  });

  it('has an example for each response body, and the schema of this body accepts the example', () => {
    for (const { route, operation } of operations) {
      const [type, failure] = route.includes('/ofrep/')
        ? (['application/json', OfrepFailure] as const)
        : (['application/problem+json', Problem] as const);
      const failed = operation.responses['default']!.content![type]!.example;
      expect([route, failure.safeParse(failed).error]).toEqual([route, undefined]);
      const { answers } = declarationOf(operation.operationId)!;
      for (const [status, { content = {} }] of Object.entries(answers))
        for (const [media, schema] of Object.entries(content)) {
          const { example } = operation.responses[status]!.content![media]!;
          expect([route, status, media, typeof example]).not.toEqual([route, status, media, 'undefined']);
          const value: unknown = media === 'application/x-ndjson' ? JSON.parse(String(example)) : example;
          const { error } = answerSchemaFor(schema, 'pulse').safeParse(value);
          expect([route, error]).toEqual([route, undefined]);
        }
    }
  });

  it('that needs a scope names this scope and the roles, and accepts a session as well as an API key', () => {
    for (const { route, operation } of operations) {
      const { security = [], description = '' } = operation;
      const allowed = table[route]!;
      if (!allowed.includes(':')) continue;
      expect([route, security.map((one) => Object.keys(one)[0])]).toEqual([route, ['bearer', 'cookieAuth']]);
      expect([route, security[0]!['bearer']]).toEqual([route, [allowed]]);
      const isForAll = route === 'GET /api/v1/catalogue';
      expect([route, security[1]!['cookieAuth']!.length > 0]).toEqual([route, !isForAll]);
      expect(description).toContain(`\`${allowed}\``);
    }
  });

  it('accepts only a session if the permission table allows no API key', () => {
    const own = operations.filter(({ route }) => table[route]!.endsWith('and no key'));
    expect(own.length).toBeGreaterThan(20);
    for (const { route, operation } of own)
      expect([route, operation.security]).toEqual([route, [{ cookieAuth: rolesOf[table[route]!] ?? [] }]]);
  });
});

describe('The check of answers in specs', () => {
  const request: CheckedRequest = {
    method: 'GET',
    path: `/api/v1/organizations/${randomUUID()}/notification-recipients?limit=1`,
    product: 'pulse',
  };
  const body = { organization: randomUUID(), revision: 4, at: '2026-11-21T10:00:00.000Z', recipients: [] };
  const answerOf = (said: object, more: Partial<Answer> = {}): Answer => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', etag: '"4-0"' },
    text: JSON.stringify(said),
    body: said,
    ...more,
  });

  it('accepts an answer that matches the declaration of its operation', () => {
    expect(() => checkAnswer(request, answerOf(body))).not.toThrow();
  });

  const lacking = Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'at'));
  it.each<[string, Answer, string]>([
    ['a field that no schema declares', answerOf({ ...body, color: 'red' }), 'Unrecognized key: "color"'],
    ['a missing field', answerOf(lacking), 'at'],
    ['a wrong type', answerOf({ ...body, revision: '4' }), 'revision'],
    ['a status that is not declared', answerOf(body, { status: 202 }), 'does not declare this status'],
    ['another media type', answerOf(body, { headers: { 'content-type': 'text/html', etag: '"4"' } }), 'text/html'],
    ['a missing ETag', answerOf(body, { headers: { 'content-type': 'application/json' } }), 'ETag is missing'],
    [
      'a JSON field of a problem document that no schema declares',
      answerOf(
        { type: '/problems/x', title: 'X', status: 404, detail: 'X.', instance: '1', color: 'red' },
        { status: 404, headers: { 'content-type': 'application/problem+json' } },
      ),
      'color',
    ],
    [
      'a title that is not the title of the problem type',
      answerOf(
        { type: '/problems/malformed', title: 'Bad Request', status: 400, detail: 'X.', instance: '1' },
        { status: 400, headers: { 'content-type': 'application/problem+json' } },
      ),
      'does not have the title "Bad Request"',
    ],
  ])('refuses an answer because of %s', (_, answer, why) => {
    expect(() => checkAnswer(request, answer)).toThrow(why);
  });

  it('refuses an answer that OFREP does not allow', () => {
    const evaluation = { ...request, method: 'POST', path: '/ofrep/v1/evaluate/flags/feedback' };
    const answer = answerOf({ errorCode: 'GENERAL' }, { status: 400 });
    expect(() => checkAnswer(evaluation, answer, [])).toThrow('at key');
    expect(() => checkAnswer({ ...evaluation, path: '/ofrep/v1/evaluate/flags' }, answer, [])).not.toThrow();
  });

  it('refuses an answer if no operation declares the answers of its route', () => {
    const others = declaredOperations().filter(({ path }) => !path.endsWith('/notification-recipients'));
    expect(() => checkAnswer(request, answerOf(body), others)).toThrow('no operation declares its answers here');
  });
});
