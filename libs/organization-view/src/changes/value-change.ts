import type { Folded, Immutable, Recorded } from '@charter/decider';
import {
  type ChangedPart,
  changedPart,
  isList,
  entitles,
  type Organization,
  type OrganizationEvent,
} from '@charter/organization';
import { z } from 'zod';
import { ActorField, At, Revision } from '../answer-fields';
import { valueAt } from '../differences/json-pointer';
import { effectiveAtOf, fieldsOfEveryStep, idsIn, printed } from '../steps/step';
import { entitledFields, isAboveEntries, isEntitled } from './value-path';

/** An event that changed a value, and the value before and after the event. */
export const ValueChange = z
  .strictObject({
    revision: Revision,
    at: At,
    effectiveAt: At.exactOptional().meta({
      description: 'The moment at which the event takes effect; absent if the event names no such moment',
    }),
    type: z.string(),
    actor: ActorField,
    before: z.unknown().exactOptional().meta({ description: 'The value before the event; absent if there was none' }),
    after: z
      .unknown()
      .exactOptional()
      .meta({ description: 'The value after the event; absent if there is none any more' }),
  })
  .meta({ id: 'ValueChange' });
export type ValueChange = Immutable<z.infer<typeof ValueChange>>;

/** The value whose changes Charter prints. `path` contains the segments of a path that `isValuePath` accepts. */
export type ValueOf = Readonly<{ id: string; product: string; path: readonly string[] }>;

/**
 * The change that an event makes to a value; undefined if the event does not change the value. If the value is an
 * object, `before` and `after` contain only its changed fields. If the value is a list of entries, both contain only
 * the changed entries, with all fields of these entries.
 */
export function valueChangeOf(
  event: Recorded<OrganizationEvent>,
  before: Folded<Organization>,
  apply: () => Folded<Organization>,
  { id, product, path }: ValueOf,
): ValueChange | undefined {
  const part = changedPart(event);
  if (!canChange(event, part, before, path)) {
    apply();
    return undefined;
  }
  const valueIn = (current: Folded<Organization>) =>
    current.revision < 0
      ? undefined
      : valueAt(path, valuesOf(printed(current, id, product, idsIn(current.state, part))));
  const previous = valueIn(before);
  const next = valueIn(apply());
  const changed = changedBetween(previous, next, path);
  if (!changed) return undefined;
  const { revision, type, metadata } = event;
  return { revision, at: metadata.at, ...effectiveAtOf(event), type, actor: metadata.actor, ...changed };
}

/** The keyed document, in which the entitlements replace the fields with the same name. */
const valuesOf = ({ document, entitlements }: ReturnType<typeof printed>): object => {
  const entitled = entitlements as Readonly<Record<string, unknown>>;
  return Object.fromEntries([
    ...Object.entries(document).filter(([field]) => !fieldsOfEveryStep.has(field)),
    ...entitledFields.map((field) => [field, entitled[field]] as const),
  ]);
};

/**
 * False only if the event cannot change the value. Charter makes this fast check first, so that it does not print the
 * state for most events of a long history.
 */
function canChange(
  event: Recorded<OrganizationEvent>,
  [field, id]: ChangedPart,
  { state, revision }: Folded<Organization>,
  path: readonly string[],
): boolean {
  if (revision < 0 || path.length === 0) return true;
  // an override can end between two events, so any event can be the first after its end
  if (isEntitled(path)) return entitles(event) || field === 'traffic' || state.override?.until != null;
  if (!isList(field)) return true;
  // an event about an entry of a list changes nothing else in the document
  return path[0] === field && (isAboveEntries(path) || id === undefined || path.includes(id));
}

type BeforeAndAfter = Pick<ValueChange, 'before' | 'after'>;

/** The changed parts of two values; undefined if the values are equal. */
function changedBetween(before: unknown, after: unknown, path: readonly string[]): BeforeAndAfter | undefined {
  if (isSame(before, after)) return undefined;
  if (!isObject(before) || !isObject(after)) return pair(before, after);
  const [previous, next]: [string, unknown][][] = [[], []];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [valueAt([name], before), valueAt([name], after)];
    const inner = [...path, name];
    const changed = isAboveEntries(inner)
      ? changedBetween(one, other, inner)
      : isSame(one, other)
        ? undefined
        : pair(one, other);
    if (changed && 'before' in changed) previous!.push([name, changed.before]);
    if (changed && 'after' in changed) next!.push([name, changed.after]);
  }
  return { before: Object.fromEntries(previous!), after: Object.fromEntries(next!) };
}

const pair = (before: unknown, after: unknown): BeforeAndAfter => ({
  ...(before !== undefined && { before: before as object }),
  ...(after !== undefined && { after: after as object }),
});

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
