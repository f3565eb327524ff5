import { RevisionMismatch } from '@charter/aggregates';
import { type Moment, momentAt } from '@charter/decider';
import { isLogError } from '@charter/event-log';
import { organizationIdOf } from '@charter/organization';
import { endingOverrideTag } from '@charter/organization-view';
import { deterministicId } from '../http/request-context';
import type { Charter } from '@charter/application';
import type { Clock } from '../process/parts/clock';
import type { Lifecycle } from '../process/parts/lifecycle';
import type { Observability } from '../process/parts/observability';
import type { OrganizationAccess } from '../process/parts/organization-access';

const EVERY_MS = 1_000;

/**
 * When an override has ended, the projecting process records `HardLimitsRestored`, so that an event explains every
 * change of an answer (`decisions.md` 17). Decisions do not need `HardLimitsRestored`, because a decision ignores an
 * override after its end.
 */
export function recordEndedOverrides(
  runtime: Pick<Charter, 'view'> &
    Clock &
    Lifecycle &
    Pick<Observability, 'logger'> &
    Pick<OrganizationAccess, 'commands' | 'projection'>,
): { stop: () => void } {
  let busy = false;
  let known: KnownEnds = new Map();
  const restoreEnded = async () => {
    if (busy || runtime.projection.now().phase !== 'running') return;
    busy = true;
    try {
      known = await recordAll(runtime, known);
    } catch (error) {
      if (!runtime.stopping()) runtime.logger.warn({ why: String(error) }, 'ended overrides could not be recorded yet');
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void restoreEnded(), EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

/** The ends of the overrides that have not ended yet, by stream, and the revisions of the documents that name them. */
type KnownEnds = ReadonlyMap<string, KnownEnd>;
type KnownEnd = Readonly<{ revision: number; until: Moment }>;

/** Reads only the documents that have changed since the run that found `known`, or whose override has ended. */
async function recordAll(
  runtime: Pick<Charter, 'view'> & Clock & Pick<Observability, 'logger'> & Pick<OrganizationAccess, 'commands'>,
  known: KnownEnds,
): Promise<KnownEnds> {
  const { view, now } = runtime;
  const ends = new Map<string, KnownEnd>();
  for (let after = undefined as Awaited<ReturnType<typeof view.list>>['next']; ;) {
    const { rows, next } = await view.list({ tags: [endingOverrideTag], limit: 100, after });
    for (const { stream, revision } of rows) {
      const last = known.get(stream);
      if (last?.revision === revision && last.until > momentAt(now())) {
        ends.set(stream, last);
        continue;
      }
      const document = await view.get(stream);
      const override = document?.state.override;
      if (!document || override?.until == null) continue;
      if (override.until <= momentAt(now())) await record(runtime, stream, document.revision, override.event);
      else ends.set(stream, { revision: document.revision, until: override.until });
    }
    if (!next) return ends;
    after = next;
  }
}

/** Executes the command only at the revision that was read, so that the command does not end a newer override. */
async function record(
  runtime: Clock & Pick<Observability, 'logger'> & Pick<OrganizationAccess, 'commands'>,
  stream: string,
  expected: number,
  override: number,
): Promise<void> {
  const id = organizationIdOf(stream);
  const command = deterministicId('override-ended', id, String(override));
  const at = momentAt(runtime.now());
  const context = { actor, at, command, correlation: command, causation: command, expected };
  const restore = { type: 'RestoreHardLimits', data: { reason: 'the override has ended' } } as const;
  await runtime.commands.execute(id, restore, context).catch((error: unknown) => {
    if (error instanceof RevisionMismatch || isLogError(error, 'unavailable')) return; // the next run tries again
    runtime.logger.warn({ organization: id, why: String(error) }, 'an ended override could not be recorded');
  });
}

const actor = { kind: 'system', id: 'clock', powers: ['operator'] } as const;
