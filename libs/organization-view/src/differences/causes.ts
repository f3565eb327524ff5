import type { Immutable, Message, Moment, Recorded } from '@charter/decider';
import { z } from 'zod';
import { ActorField, At, Revision } from '../answer-fields';

/** An event that changed a line of a difference, and the event's actor. */
const Cause = z
  .strictObject({
    revision: Revision,
    type: z.string(),
    actor: ActorField.nullable(),
    at: At.meta({ description: 'The moment at which the event was recorded' }),
    effectiveAt: At.exactOptional().meta({
      description: 'The moment at which the event takes effect; absent if the event names no such moment',
    }),
    backDated: z
      .literal(true)
      .exactOptional()
      .meta({ description: 'A correction: the event takes effect before the moment at which the comparison starts' }),
    endedAt: At.exactOptional().meta({
      description: 'The moment at which the override of this event ended; no event has recorded this end yet',
    }),
  })
  .meta({ id: 'Cause' });
export type Cause = Immutable<z.infer<typeof Cause>>;

/** The newest causes, sorted from old to new, and the number of all causes. */
export const causesFields = { causes: z.array(Cause), causesInAll: z.int().min(0) };
export type Causes = Immutable<z.infer<z.ZodObject<typeof causesFields>>>;

/** The maximum number of causes for one line of a difference, so that a difference of many events stays short. */
const CAUSES_MAX = 20;

/** @param before the start of the comparison; an event that takes effect earlier is back-dated */
export function causeOf({ type, data, revision, metadata }: Recorded<Message>, before: Moment): Cause {
  const { actor, at } = metadata;
  const { effectiveAt } = data as { effectiveAt?: Moment };
  return {
    revision,
    type,
    actor,
    at,
    ...(effectiveAt !== undefined && { effectiveAt }),
    ...(effectiveAt !== undefined && effectiveAt < before && { backDated: true as const }),
  };
}

/**
 * Collects causes in groups. Each group has the name of the value that its causes changed, for example the name of a
 * limit. A group keeps its newest causes, and the keys of all its causes.
 */
export function causeCollector<Name extends string>() {
  const known = new Map<Name, { causes: Cause[]; keys: number[] }>();
  return {
    add: (name: Name, cause: Cause): void => {
      const group = known.get(name) ?? { causes: [], keys: [] };
      group.causes = [...group.causes.slice(-(CAUSES_MAX - 1)), cause];
      group.keys.push(keyOf(cause));
      known.set(name, group);
    },
    /** The causes of these groups. A cause that belongs to several groups is listed and counted once. */
    of: (names: readonly Name[]): Causes => {
      const groups = names.flatMap((name) => known.get(name) ?? []);
      const once = new Map(groups.flatMap(({ causes }) => causes.map((cause) => [keyOf(cause), cause] as const)));
      const causes = [...once].sort(([one], [other]) => one - other).map(([, cause]) => cause);
      return {
        causes: causes.slice(-CAUSES_MAX),
        causesInAll: new Set(groups.flatMap(({ keys }) => keys)).size,
      };
    },
    names: () => [...known.keys()],
  };
}

/** A different number for each cause. One event can have two causes: its own change, and the end of its override. */
const keyOf = ({ revision, endedAt }: Cause): number => 2 * revision + (endedAt === undefined ? 0 : 1);
