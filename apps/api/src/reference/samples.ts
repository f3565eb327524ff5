import { componentOf, type JsonSchema, type Schemas } from './document';

/** How many objects a sample nests; a deeper object is empty, because a schema may contain itself. */
const DEEPEST = 4;

/** The schema of a value, the name of the property that has the value, and the number of objects around the value. */
type SampledValue = Readonly<{ schema: JsonSchema; name: string; depth: number }>;

/**
 * A value that has the form of a schema, for an example: the example of the schema, if it has any. Otherwise an object
 * has its required properties and those with required properties of their own, and a list has one element. The service
 * accepts the texts of a sample where the property's name shows which text it expects.
 */
export const sampleOf = (schema: JsonSchema, schemas: Schemas): unknown =>
  sampled({ schema, name: '', depth: 0 }, schemas);

function sampled({ schema, name, depth }: SampledValue, schemas: Schemas): unknown {
  const component = componentOf(schema);
  if (component !== undefined) return sampled({ schema: schemas[component] ?? {}, name, depth }, schemas);
  const { examples, enum: values, anyOf, oneOf } = schema;
  const preset = schema.required ? undefined : schema.default;
  for (const given of [schema.example, examples?.[0], schema.const, preset, values?.[0]])
    if (given !== undefined) return given;
  const choice = anyOf?.[0] ?? oneOf?.[0];
  if (choice) return sampled({ schema: choice, name, depth }, schemas);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'array')
    return depth < DEEPEST && schema.items ? [sampled({ schema: schema.items, name, depth: depth + 1 }, schemas)] : [];
  if (type === 'object' || schema.properties) return depth < DEEPEST ? objectOf(schema, schemas, depth + 1) : {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  return type === 'null' ? null : textOf(schema, name);
}

function objectOf({ properties = {}, required = [] }: JsonSchema, schemas: Schemas, depth: number): unknown {
  const needed = Object.keys(properties).filter((name) => required.includes(name) || properties[name]?.required);
  const names = needed.length > 0 ? needed : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(
    names.map((name) => [name, sampled({ schema: properties[name] ?? {}, name, depth }, schemas)]),
  );
}

const texts: Readonly<Record<string, string>> = {
  uuid: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11',
  'date-time': '2026-05-02T21:33:20Z',
  date: '2026-05-02',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};
/** Values by the name of their property. */
const named: Readonly<Record<string, unknown>> = {
  addOn: 'additionalUser',
  clientId: 'charter',
  clientSecret: 'a-secret-of-the-provider',
  customer: 'cus_Acme',
  data: { line: 'first', plan: 'essential' },
  email: texts['email'],
  hostname: 'www.example.com',
  ids: texts['uuid'],
  month: '2026-05',
  name: 'Acme',
  plan: 'essential',
  provider: 'stripe',
  q: 'ada',
  reason: 'A decision of the operator',
  shown: 'a'.repeat(64),
  source: 'https://shop.example',
  targetingKey: texts['uuid'],
  text: '{}',
  type: 'charter.plan.assigned',
};
const textOf = ({ format = '', description }: JsonSchema, name: string): unknown =>
  texts[format] ?? (Object.hasOwn(named, name) ? named[name] : description === undefined ? '…' : 'text');
