import { componentOf, type JsonSchema, type Schemas } from './document';

/** How many objects a sample nests; a deeper object is empty, because a schema may contain itself. */
const DEEPEST = 4;

/**
 * A value that has the form of a schema, for an example: the example of the schema, if it has any. Otherwise an object
 * has its required properties and those with required properties of their own, and a list has one element.
 */
export function sampleOf(schema: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const name = componentOf(schema);
  if (name !== undefined) return sampleOf(schemas[name] ?? {}, schemas, depth);
  const { examples, enum: values, anyOf, oneOf } = schema;
  const preset = schema.required ? undefined : schema.default;
  for (const given of [schema.example, examples?.[0], schema.const, preset, values?.[0]])
    if (given !== undefined) return given;
  const choice = anyOf?.[0] ?? oneOf?.[0];
  if (choice) return sampleOf(choice, schemas, depth);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'array') return depth < DEEPEST && schema.items ? [sampleOf(schema.items, schemas, depth + 1)] : [];
  if (type === 'object' || schema.properties) return depth < DEEPEST ? objectOf(schema, schemas, depth + 1) : {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  return type === 'null' ? null : textOf(schema);
}

function objectOf({ properties = {}, required = [] }: JsonSchema, schemas: Schemas, depth: number): unknown {
  const needed = Object.keys(properties).filter((name) => required.includes(name) || properties[name]?.required);
  const names = needed.length > 0 ? needed : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] ?? {}, schemas, depth)]));
}

const texts: Readonly<Record<string, string>> = {
  uuid: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11',
  'date-time': '2026-05-02T21:33:20Z',
  date: '2026-05-02',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};
const textOf = ({ format, description }: JsonSchema) =>
  texts[format ?? ''] ?? (description === undefined ? '…' : 'text');
