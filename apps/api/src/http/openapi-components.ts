import { z } from 'zod';
import { LAG, LAG_EVENTS } from './lag-headers';

/** Every header that an answer may have, as the OpenAPI document describes it. */
export const headers: Readonly<Record<string, object>> = {
  'Request-Id': headerOf('The id of the request, which the log also contains'),
  [LAG]: {
    description:
      'The lag of the read model in seconds: the age of the oldest event that it does not contain; 0 if it contains all events',
    schema: { type: 'number', minimum: 0 },
  },
  [LAG_EVENTS]: {
    description: 'The lag of the read model in events; absent if the event log cannot count events',
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: headerOf('The revision, with a suffix that `If-Match` ignores'),
  Location: headerOf('The address of the created entry'),
  'Set-Cookie': headerOf('The session cookie and the XSRF cookie, new or removed'),
  'Clear-Site-Data': headerOf('The data that the browser deletes at sign-out'),
  'Content-Disposition': headerOf('The name under which a browser saves the answer'),
  'Retry-After': headerOf('The number of seconds after which the caller may send the same request again', 'integer'),
  'Charter-Cursor': headerOf('The cursor for the next request, if the answer is NDJSON'),
  'WWW-Authenticate': headerOf('`Bearer`: the request needs an API key or a session'),
};

function headerOf(description: string, type = 'string') {
  return { description, schema: { type } };
}

/** OpenAPI references (`$ref`) to the headers with these names. */
export const headerReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The first example of a schema. */
export const exampleOf = (schema: z.ZodType): unknown =>
  (schema.meta()?.examples as readonly unknown[] | undefined)?.[0];

/**
 * Prints a schema as JSON Schema. Each nested schema with an id becomes a component of the OpenAPI document. In the
 * OpenAPI document, objects allow unknown fields, because a later release may add fields. The specs refuse unknown
 * fields.
 */
export function referenceTo(schema: z.ZodType, components: Map<string, object>): object {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { override: ({ jsonSchema }) => open(jsonSchema) });
  delete root.$schema;
  for (const [id, part] of Object.entries($defs)) components.set(id, withReferences(part));
  return withReferences(root); // if the schema itself has an id, `root` is a reference to a component
}

function open(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema['id'];
}

/** Replaces references to the schema's own definitions by references to components of the document. */
const withReferences = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as object;
