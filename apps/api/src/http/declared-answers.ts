import type { Immutable } from '@charter/decider';
import type { z } from 'zod';

/**
 * The callers who may use an operation: names of roles and scopes, or a group such as `people`, which contains no API
 * keys.
 */
export type Permission = readonly string[] | 'people' | 'operators' | 'everyone' | 'each command by its own rule';

/** Headers that only some answers have. The OpenAPI document describes each header once. */
export type AnswerHeader =
  'ETag' | 'Location' | 'Set-Cookie' | 'Content-Disposition' | 'Clear-Site-Data' | 'Retry-After' | 'Charter-Cursor';

export type AnswerSchema<Body = unknown> = z.ZodType<Body> | ((product: string) => z.ZodType<Body>);

/** @param product the key of the second product line; a schema whose fields depend on this key is a function */
export const answerSchemaFor = (schema: AnswerSchema, product: string): z.ZodType =>
  typeof schema === 'function' ? schema(product) : schema;

/** One answer of an operation. */
export type DeclaredAnswer<Body = unknown> = Readonly<{
  description: string;
  /**
   * The schema of the answer in each media type. For NDJSON the schema describes one line; for `text/…`, the whole
   * text. Absent if the answer has no body.
   */
  content?: Readonly<Record<string, AnswerSchema<Body>>>;
  /** An example of the body; absent if the example of the schema fits. */
  example?: Body;
  headers?: readonly AnswerHeader[];
}>;
export type DeclaredAnswers<Body = unknown> = Readonly<Record<number, DeclaredAnswer<Body>>>;

/** The permission and the answers that an operation declares. */
export type Declaration = Readonly<{
  may: Permission;
  answers: DeclaredAnswers;
  /** The statuses of the operation's own problems, without those that the request pipeline sends for any operation. */
  problems: readonly number[];
  /** The controller class and the method; Nest stores the route in their metadata. */
  controller: object;
  handler: object;
}>;

// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the method sends its answer itself
type Returned<Body> = Immutable<Body> | undefined | void;

/**
 * Declares who may call an operation, and each of its answers. The compiler compares the method's result with the
 * schemas. The OpenAPI document contains the schemas of the answers, and the specs parse every answer with them.
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

/** @param operation the operation's id in the OpenAPI document: the controller and its method */
export const declarationOf = (operation: string): Declaration | undefined => declarations.get(operation);

export const NDJSON_TYPE = 'application/x-ndjson';

/** 200 with a JSON body. */
export const ok = <Body>(schema: AnswerSchema<Body>, headers: readonly AnswerHeader[] = []): DeclaredAnswers<Body> => ({
  200: { description: 'The answer', content: { 'application/json': schema }, headers },
});

/** 200 with an ETag; 304 if the caller's `If-None-Match` contains the current ETag. */
export const tagged = <Body>(schema: AnswerSchema<Body>): DeclaredAnswers<Body> => ({
  ...ok(schema, ['ETag']),
  304: { description: 'Nothing has changed since the answer with this ETag', headers: ['ETag'] },
});

/** 204 without a body. */
export const noContent = (...headers: readonly AnswerHeader[]): DeclaredAnswers<never> => ({
  204: { description: 'Done', headers },
});

/** 201 with a JSON body. */
export const created = <Body>(schema: AnswerSchema<Body>): DeclaredAnswers<Body> => ({
  201: { description: 'The request has created the object in the body', content: { 'application/json': schema } },
});

/** 200 with plain text. */
export const text = (schema: z.ZodType<string>): DeclaredAnswers<string> => ({
  200: { description: 'The text', content: { 'text/plain': schema } },
});

/** 200 with a JSON value on each line. */
export const lines = (line: AnswerSchema, headers: readonly AnswerHeader[] = []): DeclaredAnswers<never> => ({
  200: { description: 'A JSON value on each line', content: { [NDJSON_TYPE]: line as AnswerSchema<never> }, headers },
});

/** 200 with one JSON value; if the caller accepts NDJSON, with a JSON value on each line. */
export const jsonOrLines = (schema: AnswerSchema, line: AnswerSchema): DeclaredAnswers<never> => ({
  200: {
    description: 'A page, or everything as NDJSON',
    content: { 'application/json': schema as AnswerSchema<never>, [NDJSON_TYPE]: line as AnswerSchema<never> },
  },
});
