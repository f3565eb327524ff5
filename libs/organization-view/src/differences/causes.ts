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
 * limit.
 */
export function causeCollector<Name extends string>() {
  const known = new Map<Name, { causes: Cause[]; causesInAll: number }>();
  return {
    add: (name: Name, cause: Cause): void => {
      const group = known.get(name) ?? { causes: [], causesInAll: 0 };
      group.causes = [...group.causes.slice(-(CAUSES_MAX - 1)), cause];
      group.causesInAll += 1;
      known.set(name, group);
    },
    of: (name: Name): Causes => known.get(name) ?? { causes: [], causesInAll: 0 },
    names: () => [...known.keys()],
  };
}

/**
 * Merges lists of causes. The result contains each event once. The number `causesInAll` also counts the causes that the
 * given lists have left out.
 */
export function mergeCauses(several: readonly Causes[]): Causes {
  const once = new Map(several.flatMap(({ causes }) => causes.map((cause) => [cause.revision, cause] as const)));
  const listed = [...once.values()].sort((one, other) => one.revision - other.revision);
  const leftOut = several.reduce((sum, { causes, causesInAll }) => sum + causesInAll - causes.length, 0);
  return { causes: listed.slice(-CAUSES_MAX), causesInAll: listed.length + leftOut };
}
