import { eventDataSchema, eventFlaw, eventTypes, type EventType } from '@charter/organization';
import { organizationsOf, releases } from './golden';

type Data = Readonly<Record<string, unknown>>;
type Path = readonly string[];
type Part = Readonly<{ path: Path; name: string; data: Data }>;

/** The parts that the data of an event may lack. A star matches any name. */
const optional: Partial<Record<EventType, readonly string[]>> = {
  PlanAssigned: ['subscription', 'terms/limits/*', 'terms/hardLimits/*', 'terms/siteDefaults/features/*'],
  PlanEnded: ['plan', 'subscription'],
  AddOnPurchased: ['subscription', 'grants/limits/*'],
  AddOnCancelled: ['addOn', 'subscription'],
  LimitsConfigured: ['limits/*'],
  HardLimitsOverridden: ['until'],
  SiteFeaturesChanged: ['features/*'],
};
/** The parts that may be null. */
const nullable: Partial<Record<EventType, readonly string[]>> = {
  ParallelUseChanged: ['parallelUse'],
  LimitsConfigured: ['limits/*'],
};
/** The texts that an event may contain whatever their words are. Any other text has a fixed form or a fixed list. */
const anyText = [
  ...['name', 'reason', 'hostname', 'plan', 'addOn', 'purchase', 'subscription'],
  ...['provider', 'customer', 'issuer', 'clientId'],
];
/** The `domain` of these events is a hostname; the `domain` of the other events is an id. */
const isAnyText = (type: EventType, name: string) =>
  anyText.includes(name) || (name === 'domain' && type.startsWith('EmailDomain'));

/** One value of each JSON type. */
const values = { text: 'nonsense', number: 7, boolean: true, null: null, list: [], object: {} };
type JsonType = keyof typeof values;

const typeOf = (value: unknown): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean' | 'object');
};

/** Each part of the data that the golden histories contain, once for each type, with the data that contains it. */
const partsOf = (type: EventType): readonly Part[] => {
  const found = new Map<string, Part>();
  const add = (data: Data, within: unknown, path: Path) => {
    for (const [key, inner] of Object.entries(within as Data)) {
      const here = [...path, key];
      const name = here.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('/');
      if (!found.has(name)) found.set(name, { path: here, name, data });
      if (typeof inner === 'object' && inner !== null) add(data, inner, here);
    }
  };
  for (const event of releases.flatMap(organizationsOf))
    if (event.type === type) add(event.data as Data, event.data, []);
  return [...found.values()];
};

const at = (data: Data, path: Path): unknown => path.reduce<unknown>((inner, key) => (inner as Data)[key], data);

/** A copy of the data with another value in one part; without this part if the value is undefined. */
function withPart({ data, path }: Part, value: unknown): Data {
  const copy = structuredClone(data);
  const within = at(copy, path.slice(0, -1)) as Record<string, unknown>;
  const key = path.at(-1)!;
  if (value === undefined) delete within[key];
  else within[key] = value;
  return copy;
}

const matches = (name: string, pattern: string) => {
  const [steps, wanted] = [name.split('/'), pattern.split('/')];
  return steps.length === wanted.length && wanted.every((step, index) => step === '*' || step === steps[index]);
};
const isIn = (listed: Partial<Record<EventType, readonly string[]>>, type: EventType, name: string) =>
  (listed[type] ?? []).some((pattern) => matches(name, pattern));

/** Whether the data with this value in the part has a flaw within the part or around the part. */
const isFlawed = (type: EventType, part: Part, value: unknown) => {
  const flaw = eventFlaw({ type, data: withPart(part, value) });
  return flaw !== undefined && flaw.path.every((key, index) => String(key) === part.path[index]);
};

// acceptance.md P8
describe.each(eventTypes)('Data of a stored %s event', (type) => {
  const parts = partsOf(type);

  it('has no flaw in the golden histories, which contain each of its fields', () => {
    for (const { name, data } of parts) expect([name, eventFlaw({ type, data })]).toEqual([name, undefined]);
    const fields = parts.flatMap(({ path, name }) => (path.length === 1 ? [name] : []));
    expect(fields.toSorted()).toEqual(Object.keys(eventDataSchema(type).shape).toSorted());
  });

  it('has a flaw if a required part is missing, and none if an optional part is missing', () => {
    const dropped = parts.filter(({ path }) => !/^\d+$/.test(path.at(-1)!));
    const flawed = dropped.filter((part) => isFlawed(type, part, undefined)).map(({ name }) => name);
    expect(flawed).toEqual(dropped.flatMap(({ name }) => (isIn(optional, type, name) ? [] : [name])));
  });

  it('has a flaw if any part has a value of another JSON type', () => {
    const accepted = parts.flatMap((part) =>
      Object.entries(values).flatMap(([kind, value]) => (isFlawed(type, part, value) ? [] : [`${part.name}: ${kind}`])),
    );
    const right = parts.flatMap(({ path, name, data }) => {
      const kinds = new Set([typeOf(at(data, path)), ...(isIn(nullable, type, name) ? ['null'] : [])]);
      if (!isAnyText(type, name)) kinds.delete('text'); // the test text `nonsense` has not the form of this part
      return [...kinds].map((kind) => `${name}: ${kind}`);
    });
    expect(accepted.toSorted()).toEqual(right.toSorted());
  });

  it('has a flaw if a number is negative or a fraction, or if the data has a field that no release wrote', () => {
    const numbers = parts.filter(({ path, data }) => typeof at(data, path) === 'number');
    for (const part of numbers)
      for (const number of [-1, 0.5])
        expect([part.name, number, isFlawed(type, part, number)]).toEqual([part.name, number, true]);
    const data = { ...parts[0]?.data, note: 'new' };
    expect(eventFlaw({ type, data })).toMatchObject({ code: 'unrecognized_keys', keys: ['note'] });
  });
});
