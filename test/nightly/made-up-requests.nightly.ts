import { randomUUID } from 'node:crypto';
import { type Chance, chanceFrom } from '../history/files/tampering';
import { seed } from '../projections/seed';
import type { Answer } from '../support/requests/http';
import { type Browser, PASSWORD, person, signedIn } from '../support/sign-in/people';
import { expectProblem } from '../support/requests/refusals';
import { type Served, serving } from '../support/serving';
import { type FullOrganization, fullOrganization } from '../support/requests/full-organization';
import { times } from './length';

type Schema = Readonly<{
  type?: string;
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}>;
type Operation = Readonly<{
  parameters?: readonly Readonly<{ name: string; in: string; schema: Schema }>[];
  requestBody?: Readonly<{ content: Readonly<Record<string, { schema: Schema }>> }>;
}>;

const TIMES = times(3_000, 100_000);

let served: Served;
let key: string;
let here: FullOrganization;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  key = await served.key();
  here = await fullOrganization(served, key);
});
afterAll(() => served.close());

const texts = [
  ...['', ' ', 'Acme', 'a.example', 'münchen.example', 'a@b.example', 'teams', 'feedback', '2026-02-30', '1e400'],
  ...['\0', '\u202e', '\ud800', "'; drop table", '{{7*7}}', '../..', '%2e%2e', '__proto__', 'x'.repeat(5_000)],
];
const strange = [null, true, -1, 0, 2 ** 53, 1e308, [], {}, [[]], { $gt: '' }, ...texts];

/** Makes random values, most of which satisfy a schema. */
function making(chance: Chance) {
  const ids = Object.values(here).filter((value) => typeof value === 'string' && value !== here.purchase) as string[];
  const one = <Thing>(of: readonly Thing[]): Thing => of[chance(of.length)]!;
  const text = ({ format }: Schema): string => {
    if (chance(5) === 0) return one(texts);
    if (format === 'uuid') return one([...ids, randomUUID()]);
    if (format === 'date-time') return new Date(chance(2 ** 31 - 1) * 1_000).toISOString();
    return one([here.purchase, PASSWORD, `t${chance(1_000)}`, `${chance(1_000)}.example`, ...texts]);
  };
  const value = (schema: Schema): unknown => {
    if (chance(12) === 0) return one(strange);
    if ('const' in schema) return schema.const;
    if (schema.enum) return one(schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return value(one(either));
    if (schema.type === 'object') return object(schema);
    if (schema.type === 'array') return Array.from({ length: chance(4) }, () => value(schema.items ?? {}));
    if (schema.type === 'boolean') return chance(2) === 0;
    return schema.type === 'integer' || schema.type === 'number' ? chance(100) : text(schema);
  };
  const object = ({ properties = {}, required = [] }: Schema) =>
    Object.fromEntries([
      ...Object.entries(properties)
        .filter(([name]) => (required.includes(name) ? chance(20) > 0 : chance(2) === 0))
        .map(([name, schema]) => [name, value(schema)]),
      ...(chance(20) === 0 ? [[one(texts), one(strange)]] : []),
    ]) as Record<string, unknown>;
  return { one, value };
}

it(`S16: ${TIMES} random requests generated from the OpenAPI document: no answer is 5xx, and every refusal is a complete problem document`, async () => {
  const { paths } = (await served.ask('GET', '/api/openapi.json')).body as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const operations = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/health'))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  const { one, value } = making(chanceFrom(seed));
  const encoded = (schema: Schema) => encodeURIComponent(String(value(schema)).toWellFormed());
  let operator: Browser | undefined;
  const counts: Record<number, number> = {};

  for (let time = 0; time < TIMES; time += 1) {
    const { path, method, operation } = one(operations);
    const [parameters, content] = [operation.parameters ?? [], operation.requestBody?.content];
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'id' && path.includes('organizations')
        ? here.id
        : encoded(parameters.find((parameter) => parameter.name === name)!.schema),
    );
    const query = parameters.flatMap(({ name, in: place, schema }) =>
      place === 'query' && one([true, false, false]) ? [`${name}=${encoded(schema)}`] : [],
    );
    const target = query.length > 0 ? `${at}?${query.join('&')}` : at;
    const body = content && value(Object.values(content)[0]!.schema);
    let answer: Answer;
    if (
      path.startsWith('/api/v1/organizations') ||
      path.startsWith('/api/v1/events') ||
      path.startsWith('/api/v1/entitlement-changes') ||
      path.startsWith('/ofrep') ||
      path.includes('/billing/events')
    )
      answer = await served.ask(method.toUpperCase(), target, { key, body });
    else {
      operator ??= await signedIn(served, await person(served, { role: 'operator' }));
      answer = await operator.send(method.toUpperCase(), target, body);
      if (answer.status === 401 || path === '/logout') operator = undefined;
    }
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    const asked = { method, target, body };
    expect([asked, answer.status < 500 ? 'below 500' : answer.text]).toEqual([asked, 'below 500']);
    // OFREP defines bodies of its own, which `served.ask` checks
    if (answer.status >= 400 && !path.startsWith('/ofrep')) expectProblem(answer);
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect((counts[200] ?? 0) + (counts[201] ?? 0)).toBeGreaterThan(TIMES / 20);
  expect(counts[400]).toBeGreaterThan(TIMES / 20);
  const next = await served.ask('GET', `/api/v1/organizations/${here.id}`, { key });
  expect(next.status).toBe(200);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
