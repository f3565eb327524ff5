import type { Immutable } from '@charter/decider';
import type { z } from 'zod';

/** The permitted callers of an operation: roles and scopes by name, or a group that no key belongs to. */
export type Permission = readonly string[] | 'people' | 'operators' | 'everyone' | 'each command by its own rule';

/** Headers that only some answers carry; the document describes each of them once. */
export type AnswerHeader =
  'ETag' | 'Location' | 'Set-Cookie' | 'Content-Disposition' | 'Clear-Site-Data' | 'Retry-After';

export type AnswerSchema<Body = unknown> = z.ZodType<Body> | ((product: string) => z.ZodType<Body>);

/** @param product the key of the second product line, on which the fields of one answer depend */
export const answerSchemaFor = (schema: AnswerSchema, product: string): z.ZodType =>
  typeof schema === 'function' ? schema(product) : schema;

/** One answer of an operation. */
export type DeclaredAnswer<Body = unknown> = Readonly<{
  description: string;
  /** The schema of each media type: of NDJSON that of a line, of `text/…` that of the text. Absent: no body. */
  content?: Readonly<Record<string, AnswerSchema<Body>>>;
  headers?: readonly AnswerHeader[];
}>;
export type DeclaredAnswers<Body = unknown> = Readonly<Record<number, DeclaredAnswer<Body>>>;

/** The declarations of an operation beside its requests. */
export type Declaration = Readonly<{
  may: Permission;
  answers: DeclaredAnswers;
  /** Problems beside those that the request pipeline answers with. */
  problems: readonly number[];
  /** The class and the method, whose metadata names the route. */
  controller: object;
  handler: object;
}>;

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the method sends its answer itself
type Returned<Body> = Immutable<Body> | undefined | void;

/**
 * Declares who may call an operation and each of its answers. The compiler compares the method's result with the
 * schemas, the OpenAPI document prints them, and the specs parse every answer with them.
 */
export const Answers =
  <Body>(may: Permission, answers: DeclaredAnswers<Body>, problems: readonly number[] = []) =>
  <Method extends (...args: never[]) => Returned<Body> | Promise<Returned<Body>>>(
    { constructor: controller }: object,
    method: string,
    { value: handler }: TypedPropertyDescriptor<Method>,
  ): void => {
    declarations.set(`${controller.name}_${method}`, { may, answers, problems, controller, handler: handler! });
  };

const declarations = new Map<string, Declaration>();

export const allDeclarations = (): Iterable<Declaration> => declarations.values();

/** @param operation the operation's id in the document: the controller and its method */
export const declarationOf = (operation: string): Declaration | undefined => declarations.get(operation);

export const NDJSON_TYPE = 'application/x-ndjson';

/** 200 with a JSON body. */
export const ok = <Body>(schema: AnswerSchema<Body>, headers: readonly AnswerHeader[] = []): DeclaredAnswers<Body> => ({
  200: { description: 'The answer', content: { 'application/json': schema }, headers },
});

/** 200 with an ETag, or 304 to a caller that has the answer already. */
export const tagged = <Body>(schema: AnswerSchema<Body>): DeclaredAnswers<Body> => ({
  ...ok(schema, ['ETag']),
  304: { description: 'The caller has this answer already', headers: ['ETag'] },
});

/** 204. */
export const noContent = (...headers: readonly AnswerHeader[]): DeclaredAnswers<never> => ({
  204: { description: 'Done', headers },
});

/** 201 with a JSON body. */
export const created = <Body>(schema: AnswerSchema<Body>): DeclaredAnswers<Body> => ({
  201: { description: 'It was made', content: { 'application/json': schema } },
});

/** 200 with plain text. */
export const text = (schema: z.ZodType<string>): DeclaredAnswers<string> => ({
  200: { description: 'The text', content: { 'text/plain': schema } },
});

/** 200 with a JSON value on each line. */
export const lines = (line: AnswerSchema, headers: readonly AnswerHeader[] = []): DeclaredAnswers<never> => ({
  200: { description: 'A JSON value on each line', content: { [NDJSON_TYPE]: line as AnswerSchema<never> }, headers },
});

/** 200 with one JSON value, or with one on each line to a caller that accepts NDJSON. */
export const jsonOrLines = (schema: AnswerSchema, line: AnswerSchema): DeclaredAnswers<never> => ({
  200: {
    description: 'A page, or everything as NDJSON',
    content: { 'application/json': schema as AnswerSchema<never>, [NDJSON_TYPE]: line as AnswerSchema<never> },
  },
});
