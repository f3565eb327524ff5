import { UnknownRevision } from '@charter/aggregates';
import { organizationStream } from '@charter/organization';
import { type Step, type StepBase, stepBase, stepper, type StepsOf } from '@charter/organization-view';
import type { Charter } from '../charter';

/**
 * A range of steps; a step is one event with the changes that it makes. `from` is the revision of the state before the
 * first step; the first step is the event after this revision.
 */
type StepRange = Readonly<{ from: number; to?: number | undefined }>;
export type StepBlock = Readonly<{ from: number; to: number; base: StepBase; steps: readonly Step[] }>;

/** The maximum number of steps in one answer (`api.md`, History). */
export const STEPS_MAX = 200;

/**
 * Reads the steps of organizations. The reader caches the state at the end of each block, because the next block begins
 * with this state.
 */
export type StepReader = Readonly<{
  /**
   * Without `to`, reads at most `STEPS_MAX` steps. Undefined if the organization does not exist.
   * @throws UnknownRevision if `from` or `to` is beyond the end; UnreadableStream; the reason of `gone`
   */
  read: (wanted: StepsOf, range: StepRange, gone?: AbortSignal) => Promise<StepBlock | undefined>;
  /** The number of events that `read` would fold before the first step. */
  distance: (id: string, from: number) => number;
}>;

export function createStepReader({
  organizations,
  snapshotReplay: { replay, distance },
}: Pick<Charter, 'organizations' | 'snapshotReplay'>): StepReader {
  return {
    read: async (wanted, { from, to }, gone) => {
      const stream = organizationStream(wanted.id);
      const head = await organizations.query(stream, ({ revision }) => revision);
      if (head < 0) return undefined;
      const last = to ?? Math.min(head, from + STEPS_MAX);
      if (Math.max(from, last) > head) throw new UnknownRevision(stream, Math.max(from, last), head);
      let base: StepBase | undefined;
      let steps: Step[] = [];
      // The replay reads at least one event, because the event's hash shows whether another log has replaced this log.
      const range = { from: Math.min(from, last - 1), to: last };
      await replay(
        stream,
        range,
        (start) => {
          base = start?.revision === from ? stepBase(start, wanted) : undefined;
          steps = [];
          const stepOf = stepper(wanted);
          return (event, before, fold) => {
            if (event.revision > from) steps.push(stepOf(event, before, fold));
            else if (event.revision < from) fold();
            else base = stepBase(fold(), wanted);
          };
        },
        gone,
      );
      return { from, to: last, base: base!, steps };
    },
    distance: (id, from) => distance(organizationStream(id), from),
  };
}
