import { type ArgumentMetadata, StandardSchemaValidationPipe } from '@nestjs/common';
import { z } from 'zod';
import { plainWords } from './plain-words';
import { malformedRequest, type ProblemError } from '../problems/problem';

/**
 * Nest's validation pipe with Charter's errors, which name each field by its path and each part of the URL by its name.
 */
class Validation extends StandardSchemaValidationPipe {
  constructor() {
    super({ exceptionFactory: (issues) => new Issues(issues) });
  }

  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    if (metadata.type === 'query' && metadata.schema) refuseHiddenFlaws(value as object);
    try {
      return await super.transform(value, metadata);
    } catch (error) {
      if (!(error instanceof Issues)) throw error;
      const { data } = metadata;
      throw problemOfIssues(
        data === undefined
          ? error.issues
          : error.issues.map((issue) => ({ ...issue, path: [data, ...(issue.path ?? [])] })),
      );
    }
  }
}
class Issues extends Error {
  constructor(readonly issues: readonly ValidationIssue[]) {
    super('The input is malformed.');
  }
}
export const validationPipe = new Validation();

/**
 * Refuses a query with a repeated parameter, because the schema would only say that an array has a wrong type. Also
 * refuses the names that Nest's pipe removes before the schema can refuse them.
 * @throws ProblemError 400
 */
function refuseHiddenFlaws(query: object): void {
  const flaws = Object.entries(query).flatMap(([name, value]) => {
    if (['__proto__', 'constructor', 'prototype'].includes(name)) return [{ path: [name], message: UNKNOWN }];
    return Array.isArray(value) ? [{ path: [name], message: 'must not be repeated' }] : [];
  });
  if (flaws.length > 0) throw problemOfIssues(flaws);
}

/** The schema of the query of a route without parameters. */
export const NoQuery = z.strictObject({});
export type NoQuery = z.infer<typeof NoQuery>;

z.config({ customError: plainWords });

/** Validates a value that does not pass through Nest's pipe. @throws ProblemError 400 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw problemOfIssues(result.error.issues);
  return result.data;
}

export type ValidationIssue = Readonly<{
  message: string;
  path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}>;

export function problemOfIssues(issues: readonly ValidationIssue[]): ProblemError {
  const all = issues.flatMap(eachField);
  const listed = all.slice(0, ERRORS_MAX).map((issue) => ({
    path: shortened((issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.')),
    message: messageOf(issue),
  }));
  return malformedRequest(listed, all.length);
}

/** zod reports an unknown field at the object that contains it; callers need the name of the field. */
function eachField(issue: ValidationIssue): readonly ValidationIssue[] {
  const { keys } = issue as { keys?: readonly string[] };
  const message = issue.message.startsWith(UNRECOGNIZED) ? UNKNOWN : issue.message;
  return keys?.map((key) => ({ path: [...(issue.path ?? []), key], message })) ?? [issue];
}
/**
 * The validator's default message for unknown fields. The schemas of limits and features have their own message, which
 * lists the known limits or features.
 */
const UNRECOGNIZED = 'Unrecognized key';
const UNKNOWN = 'is not known here';

/** If the message of a union says nothing, lists the messages of the union's alternatives. */
function messageOf(issue: ValidationIssue): string {
  const { message, errors = [] } = issue as ValidationIssue & { errors?: readonly (readonly ValidationIssue[])[] };
  if (message !== DEFAULT_UNION_MESSAGE || errors.length === 0) return message;
  return errors.map((way) => way.map((each) => each.message).join(', ')).join('; or ');
}
/** The validator's default message, which does not say what is wrong. */
const DEFAULT_UNION_MESSAGE = 'Invalid input';

/** Shortens the path of a field, which can be as long as the request. */
const shortened = (path: string) => (path.length > PATH_MAX ? `${path.slice(0, PATH_MAX)}…` : path);
const PATH_MAX = 200;

/** The maximum number of errors in an answer, so that a hostile body cannot cause a huge answer. */
const ERRORS_MAX = 20;
