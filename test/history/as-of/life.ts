import { randomUUID } from 'node:crypto';
import { loadCatalogue } from '@charter/catalogue';
import { deepCopy, type Evolution, fold, type Folded, type Moment, emptyStream, type Recorded } from '@charter/decider';
import { aggregates, Refused } from '@charter/aggregates';
import { type Envelope, MemoryLog, type StoredEvent } from '@charter/event-log';
import {
  evolve,
  initial,
  type OrganizationDraft,
  organizationDecider,
  type OrganizationEvent,
  organizationStream,
} from '@charter/organization';
import fc from 'fast-check';
import { createSnapshotReplay } from '../../../libs/application/src/history/snapshots/snapshot-replay';
import { anyAsker, anyCommand, momentAfter } from '../../../libs/organization/src/testing/any-command.testing';
import { operator } from '../../../libs/organization/src/testing/organization.testing';

export type RecordedFact = Recorded<OrganizationEvent>;

/**
 * Random commands to one organization. Each command is executed some minutes after the previous command, or at the same
 * moment.
 */
export const anySteps = fc.array(
  fc.record({
    command: anyCommand,
    asker: anyAsker,
    minutes: fc.nat({ max: 20 }).map((minutes) => (minutes < 8 ? 0 : minutes)),
  }),
  { minLength: 20, maxLength: 60, size: 'max' },
);
export type Steps = typeof anySteps extends fc.Arbitrary<infer Value> ? Value : never;

/** Executes the steps on a new organization by the service's rules. The result contains the log and the events. */
export async function livedThrough(steps: Steps) {
  const log = new MemoryLog();
  const organizations = aggregates(log, organizationDecider(loadCatalogue()));
  const id = randomUUID();
  const stream = organizationStream(id);
  let minutes = 0;
  const execute = async ({ command, asker, minutes: passed }: Steps[number]) => {
    minutes += passed;
    const [named, at] = [randomUUID(), momentAfter(0, minutes)];
    const by: Envelope = { ...asker, at, command: named, correlation: named, causation: named };
    await organizations.execute(stream, command, by).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error; // the rules may refuse this random command
    });
  };
  await execute({
    command: { type: 'FoundOrganization', data: { name: 'Acme' } },
    asker: { actor: operator },
    minutes: 0,
  });
  for (const step of steps) await execute(step);
  const stored: StoredEvent[] = [];
  for await (const event of log.readStream(stream)) stored.push(event);
  const events = stored.map((event) => ({ ...event, revision: Number(event.revision) }) as unknown as RecordedFact);
  return { log, organizations, snapshotReplay: createSnapshotReplay({ organizations }), id, stream, events };
}

/**
 * The expected state: a plain fold of the events that were recorded up to the revision `last` and take effect by
 * `valid` (`decisions.md` 24).
 */
export function plainly(events: readonly RecordedFact[], last: number, valid?: Moment): Folded<OrganizationDraft> {
  const evolution: Evolution<OrganizationDraft, OrganizationEvent> = { initial, evolve };
  const recorded = deepCopy(events.filter(({ revision }) => revision <= last));
  const counting = recorded.filter(({ data, metadata }) => {
    const { effectiveAt = metadata.at } = data as { effectiveAt?: Moment };
    return valid === undefined || effectiveAt <= valid;
  });
  return fold(evolution, counting, emptyStream(evolution));
}

/**
 * For each event, the moments when it was recorded and when it took effect, and the moments 1 ms before and 1 ms after
 * them. The result also has one moment long before all events and one long after them.
 */
export function momentsOf(events: readonly RecordedFact[]): readonly Moment[] {
  const recorded = events.flatMap(({ data, metadata }) => {
    const { effectiveAt } = data as { effectiveAt?: Moment };
    return [metadata.at, ...(effectiveAt === undefined ? [] : [effectiveAt])];
  });
  const around = recorded.flatMap((moment) => [-1, 0, 1].map((ms) => new Date(Date.parse(moment) + ms).toISOString()));
  return ['2000-01-01T00:00:00.000Z', ...new Set(around), '2999-01-01T00:00:00.000Z'];
}

export const anyOf = <Item>(items: readonly Item[], chance: number): Item => items[Math.floor(chance * items.length)]!;
/** A random number: at least 0 and below 1. All numbers are equally probable. */
export const chance = fc.noBias(fc.nat({ max: 999_999 })).map((millionth) => millionth / 1_000_000);
export const seed = process.env['SEED'] ? { seed: Number(process.env['SEED']) } : {};
