import { UnknownRevision } from '@charter/aggregates';
import type { Folded } from '@charter/decider';
import { type Organization, type OrganizationDraft, organizationStream } from '@charter/organization';
import { type Step, type StepBase, stepBase, stepOf, type StepsOf } from '@charter/organization-view';
import type { Charter } from '../charter';
import { createFoldedSnapshots, type FoldedSnapshot } from './folded-snapshots';

/** A range of steps. `from` is the revision of the base; the first step is the event after it. */
export type StepRange = Readonly<{ from: number; to?: number | undefined }>;
export type StepBlock = Readonly<{ from: number; to: number; base: StepBase; steps: readonly Step[] }>;

/** The maximum number of steps in one answer (`api.md`, History). */
export const STEPS_MAX = 200;

/** The number of events between two states that a long read caches. */
const SNAPSHOT_EVERY = 5_000;

/** Reads the steps of organizations. It caches the state at the end of each block, where the next block begins. */
export type StepReader = Readonly<{
  /**
   * Without `to`: up to `STEPS_MAX` steps. Undefined if the organization does not exist.
   * @throws UnknownRevision if `from` or `to` is beyond the end; UnreadableStream; the reason of `gone`
   */
  read: (wanted: StepsOf, range: StepRange, gone?: AbortSignal) => Promise<StepBlock | undefined>;
  /** The number of events that `read` would fold before the first step. */
  distance: (id: string, from: number) => number;
}>;

export function createStepReader({ organizations }: Pick<Charter, 'organizations'>): StepReader {
  const snapshots = createFoldedSnapshots();

  /** @throws ReplacedHistory if the events do not continue `start` */
  const readFrom = async (
    start: FoldedSnapshot | undefined,
    wanted: StepsOf,
    { from, to }: Readonly<{ from: number; to: number }>,
    gone: AbortSignal | undefined,
  ): Promise<StepBlock> => {
    const stream = organizationStream(wanted.id);
    const steps: Step[] = [];
    let base = start?.folded.revision === from ? stepBase(start.folded, wanted) : undefined;

    await organizations.replay(
      stream,
      { until: { revision: to }, signal: gone },
      (event, before, apply) => {
        const { revision, metadata } = event;
        if (revision - 1 === start?.folded.revision && metadata.previousHash !== start.hash)
          throw new ReplacedHistory();
        let after: Folded<Organization> = before;
        const fold = () => (after = apply!()); // without `valid`, a replay folds every event
        if (revision > from) steps.push(stepOf(event, before, fold, wanted));
        else fold();
        if (revision === from) base = stepBase(after, wanted);
        if (revision === to || revision % SNAPSHOT_EVERY === 0)
          snapshots.add(stream, { folded: after as Folded<OrganizationDraft>, hash: metadata.hash });
      },
      start?.folded,
    );
    return { from, to, base: base!, steps };
  };

  return {
    read: async (wanted, { from, to }, gone) => {
      const stream = organizationStream(wanted.id);
      const head = await organizations.query(stream, ({ revision }) => revision);
      if (head < 0) return undefined;
      const last = to ?? Math.min(head, from + STEPS_MAX);
      if (Math.max(from, last) > head) throw new UnknownRevision(stream, Math.max(from, last), head);
      const range = { from, to: last };
      try {
        return await readFrom(snapshots.before(stream, from), wanted, range, gone);
      } catch (error) {
        if (!isReplaced(error)) throw error;
        snapshots.invalidate(stream);
        return readFrom(undefined, wanted, range, gone);
      }
    },
    distance: (id, from) => from - snapshots.revisionBefore(organizationStream(id), from),
  };
}

/** Thrown when the events do not continue a cached state, because another log replaced the log (`event-log.md` D5). */
class ReplacedHistory extends Error {}
/** A replay wraps the errors of its visitor. */
const isReplaced = (error: unknown): boolean =>
  error instanceof ReplacedHistory || (error instanceof Error && error.cause instanceof ReplacedHistory);
