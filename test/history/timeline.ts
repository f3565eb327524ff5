import { deepCopy } from '@charter/decider';
/** The moment or the revision of a snapshot. */
export type When = number | string;

/**
 * The values of one key (a JSON pointer). Each entry says from which revision or moment a value holds. An entry
 * without a value means that the key is absent from then on.
 */
type Line = readonly (readonly [from: When, value?: unknown])[];

/**
 * The values of each key of the snapshots; a key is a JSON pointer (RFC 6901). The value of an object is `{}`, and the
 * value of a list is `[]`, because each of their parts has a separate key.
 */
export type Timeline = Readonly<Record<string, Line>>;

/** Makes a timeline of snapshots. The snapshots must be in the order of their revisions or moments. */
export function timelineOf(snapshots: readonly (readonly [When, unknown])[]): Timeline {
  const lines = new Map<string, (readonly [When, value?: unknown])[]>();
  let before = new Map<string, unknown>();
  for (const [when, snapshot] of snapshots) {
    const now = flat(snapshot);
    for (const path of new Set([...before.keys(), ...now.keys()])) {
      if (before.has(path) && isSame(before.get(path), now.get(path))) continue;
      lines.set(path, [...(lines.get(path) ?? []), now.has(path) ? [when, now.get(path)] : [when]]);
    }
    before = now;
  }
  return Object.fromEntries(lines);
}

/** A key whose value changed, the revision or moment, and both values. */
export type Change = Readonly<{ key: string; at: When; was?: unknown; is?: unknown }>;

/**
 * Each difference between a sealed timeline and today's timeline, at each revision or moment. A new JSON field, such as
 * a new feature, is not a difference. A new id, month or list index is a difference, because the same events must not
 * give other entries.
 */
export function changesSince(sealed: Timeline, today: Timeline, whens: readonly When[]): readonly Change[] {
  const invented = Object.keys(today).filter((key) => !Object.hasOwn(sealed, key) && !isNewName(key, sealed));
  return [...Object.keys(sealed), ...invented].flatMap((key) => {
    const [was, is] = [valuesOf(sealed[key] ?? [], whens), valuesOf(today[key] ?? [], whens)];
    return whens.flatMap((at, index) =>
      isSame(was[index], is[index]) ? [] : [{ key, at, was: was[index], is: is[index] }],
    );
  });
}

/** The snapshot at a revision or moment, rebuilt from the timeline. */
export function snapshotAt(timeline: Timeline, when: When): unknown {
  const there = Object.entries(timeline).flatMap(([key, line]) => {
    const [value] = valuesOf(line, [when]);
    return value === undefined ? [] : [[key, deepCopy(value)] as const];
  });
  const parts = new Map(there);
  for (const [key, value] of there) {
    const { around, name } = placeOf(key);
    if (key !== '') (parts.get(around) as Record<string, unknown>)[name] = value;
  }
  return parts.get('');
}

const isNewName = (key: string, sealed: Timeline): boolean => {
  const { around, name } = placeOf(key);
  return Object.hasOwn(sealed, around) ? /^[A-Za-z]+$/.test(name) : isNewName(around, sealed);
};

const placeOf = (key: string) => {
  const end = key.lastIndexOf('/');
  return {
    around: key.slice(0, end),
    name: key
      .slice(end + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~'),
  };
};

function flat(value: unknown, path = '', into = new Map<string, unknown>()): Map<string, unknown> {
  const isInner = typeof value === 'object' && value !== null;
  into.set(path, isInner ? (Array.isArray(value) ? [] : {}) : value);
  if (isInner)
    for (const [name, inner] of Object.entries(value))
      if (inner !== undefined) flat(inner, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, into);
  return into;
}

/** The value of a key at each of these revisions or moments, which must be in order. */
function valuesOf(line: Line, whens: readonly When[]): readonly unknown[] {
  let next = 0;
  return whens.map((when) => {
    while (next < line.length && line[next]![0] <= when) next += 1;
    return line[next - 1]?.[1];
  });
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
