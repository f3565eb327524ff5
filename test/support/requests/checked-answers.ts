import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import { z } from 'zod';
import '../../../apps/api/src/api.module';
import {
  allDeclarations,
  answerSchemaFor,
  type Declaration,
  type DeclaredAnswer,
  NDJSON_TYPE,
} from '../../../apps/api/src/http/declared-answers';
import { problemStatuses } from '../../../apps/api/src/http/openapi';
import { isOfrep, OfrepFailure } from '../../../apps/api/src/http/problems/ofrep-failure';
import { Problem } from '../../../apps/api/src/http/problems/problem-schema';
import { isProblemReason, problemTypes } from '../../../libs/problems/src/problem-types';
import type { Agent } from 'node:http';
import { type Answer, send, type Sent } from './http';
import { protocolIssues } from './ofrep-protocol';

export type CheckedRequest = Readonly<{ method: string; path: string; product: string }>;
export type CheckedOperation = Pick<Declaration, 'may' | 'answers' | 'problems'> &
  Readonly<{ method: string; path: string }>;

/** Sends one request, and checks its answer with `checkAnswer`. */
export async function sendChecked(url: string, method: string, sent: Sent, agent?: Agent, product = 'pulse') {
  const answer = await send(url, method, sent, agent);
  checkAnswer({ method, path: url.slice(new URL(url).origin.length), product }, answer);
  return answer;
}

/**
 * Compares an answer with the declaration of its operation: status, media type, headers, and each field of the body.
 * Also checks the answers of OFREP's evaluation routes against the protocol.
 * @throws for an operation without a declaration, and for every difference, such as a field that no schema declares
 */
export function checkAnswer(request: CheckedRequest, answer: Answer, operations = declaredOperations()): void {
  const { method, path } = request;
  const address = path.replace(/[?#].*$/s, '');
  const operation = operationAt(operations, method, address);
  const fail = (why: string): never => {
    throw new Error(`${method} ${path} answered ${answer.status}: ${why}\n${answer.text.slice(0, 2_000)}`);
  };
  const evaluation = method === 'HEAD' || method === 'OPTIONS' ? null : EVALUATION.exec(address);
  if (evaluation) {
    const issues = protocolIssues(evaluation[1] === undefined ? 'all' : 'one', answer);
    if (issues.length > 0) fail(issues.join('; '));
  }
  if (!operation) {
    if (answer.status < 400 && INTERFACE.test(address)) fail('no operation declares its answers here.');
    return;
  }
  const declared = operation.answers[answer.status];
  const mayBeProblem = problemsAt(operation).includes(answer.status);
  const isOfrepFailure = isOfrep(address) && answer.status >= 400;
  const isProblem = isOfrepFailure || typeOf(answer) === 'application/problem+json';
  if (isProblem ? !mayBeProblem : !declared) fail('the operation does not declare this status.');
  if (!isProblem) checkHeaders(answer, declared!, fail);
  if (method === 'HEAD') return;
  const issues = isOfrepFailure
    ? issuesOfFailure(answer)
    : isProblem
      ? [...issuesOf(Problem, answer.body), ...issuesOfTitle(answer)]
      : issuesOfContent(answer, declared!, request.product);
  if (issues.length > 0) fail(issues.join('; '));
}

/** OFREP defines no body for the statuses 401 and 403. */
const issuesOfFailure = (answer: Answer): readonly string[] =>
  answer.status !== 401 && answer.status !== 403
    ? [...issuesOf(OfrepFailure, answer.body), ...issuesOfTitle(answer)]
    : answer.text === ''
      ? []
      : ['the body is not empty.'];

/** The title of a failure is the title of its type in the table of problem types. */
function issuesOfTitle({ body }: Answer): readonly string[] {
  const { type, title } = body as { type?: string; title?: string };
  const [, reason = ''] = /^\/problems\/(.+)$/.exec(type ?? '') ?? [];
  const expected = isProblemReason(reason) ? problemTypes[reason].title : undefined;
  return expected !== undefined && title === expected ? [] : [`the type ${type} does not have the title "${title}".`];
}

/** The paths of operations. Pages and files are not operations. */
const INTERFACE = /^\/(api\/v1|ofrep\/v1|health|webhooks|\.well-known)(\/|$)/i;

/** The evaluation routes of OFREP, with the key of a single flag. */
const EVALUATION = /^\/ofrep\/v1\/evaluate\/flags(?:\/([^/]+))?$/i;

const problemsAt = (operation: CheckedOperation) => [
  ...problemStatuses(operation, { path: operation.path, isRead: operation.method === 'GET' }),
  ...BEFORE_ROUTES,
];
/** Statuses that the server sends before any route, because the request line or the headers are too long. */
const BEFORE_ROUTES = [414, 431];

function checkHeaders({ headers }: Answer, { headers: declared = [] }: DeclaredAnswer, fail: (why: string) => never) {
  for (const name of ['ETag', 'Location'] as const)
    if ((headers[name.toLowerCase()] !== undefined) !== declared.includes(name))
      fail(declared.includes(name) ? `the header ${name} is missing.` : `no declaration has the header ${name}.`);
}

function issuesOfContent(answer: Answer, { content }: DeclaredAnswer, product: string): readonly string[] {
  if (!content) return answer.text === '' ? [] : ['the operation declares no body.'];
  const type = typeOf(answer);
  const declared = content[type];
  if (!declared) return [`the operation does not declare ${type || 'an answer without a media type'}.`];
  const schema = answerSchemaFor(declared, product);
  if (type === 'application/json') return issuesOf(schema, answer.body);
  if (type !== NDJSON_TYPE) return issuesOf(schema, answer.text);
  const lines = answer.text.split('\n').slice(0, -1);
  return lines.flatMap((line) => issuesOf(schema, JSON.parse(line)));
}

const issuesOf = (schema: z.ZodType, value: unknown): readonly string[] => {
  const { error } = schema.safeParse(value);
  return error ? [z.prettifyError(error)] : [];
};

const typeOf = ({ headers }: Answer) => (headers['content-type'] ?? '').split(';')[0]!.trim();

/** Every operation with its route, from the metadata of the controllers. */
export const declaredOperations = (): readonly CheckedOperation[] =>
  (known ??= [...allDeclarations()].map(({ controller, handler, ...declared }) => {
    const method = RequestMethod[Reflect.getMetadata('method', handler) as number]!;
    const [base, own] = [controller, handler].map((part) => Reflect.getMetadata('path', part) as string);
    return { ...declared, method, path: `/${[base, own].filter((part) => part && part !== '/').join('/')}` };
  }));
let known: readonly CheckedOperation[] | undefined;

/**
 * The operation whose path template matches the address. If several templates match, the template with the fewest
 * parameters wins.
 */
function operationAt(operations: readonly CheckedOperation[], method: string, address: string) {
  const asked = method === 'HEAD' ? 'GET' : method;
  const fitting = operations.filter((one) => one.method === asked && patternOf(one.path).test(address));
  return fitting.sort((one, other) => parametersIn(one.path) - parametersIn(other.path))[0];
}
const parametersIn = (path: string) => path.split(':').length;

const patterns = new Map<string, RegExp>();
function patternOf(path: string): RegExp {
  const pattern = patterns.get(path) ?? new RegExp(`^${path.replace(/\./g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`, 'i');
  patterns.set(path, pattern);
  return pattern;
}
