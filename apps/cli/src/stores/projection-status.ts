import { type EditionSummary, type ProjectionStatus, readProjectionStatus } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { type Charter, readReadsStatus } from '@charter/application';
import type { CommandAnswer } from '../terminal/command-answer';
import { percent, track } from '../terminal/progress';
import { table } from '../terminal/table';

type Status = ProjectionStatus & Readonly<{ phase: string; lease: Readonly<{ holder: string; until: string }> | null }>;

/**
 * The status of the read model and of the list of readers. `bars`: whether the text contains progress bars, for a
 * terminal.
 */
export async function projectionStatus({ log, view, database }: Charter, bars: boolean): Promise<CommandAnswer> {
  const standing = await readProjectionStatus(log, view, organizationView);
  const lease = (await database.lease('projections').held()) ?? null;
  const organizations: Status = { ...standing, phase: phaseOf(standing), lease };
  const readers = await readersStatus({ log, database });
  const text = table(
    ['NAME', 'VERSION', 'STATE', 'EVENTS BEHIND', 'SECONDS BEHIND', 'PARKED'],
    [organizations, readers].map(({ name, version, phase, lagEvents, lagSeconds, parked }) => {
      const figures = [lagEvents ?? 'unknown', Math.round(lagSeconds * 10) / 10, parked.length].map(String);
      return [name, String(version), phase, ...figures];
    }),
  );
  return {
    text: [text, ...more(organizations, bars)].join('\n\n'),
    json: [printed(organizations), { ...readers, lagEvents: readers.lagEvents ?? null }],
  };
}

/**
 * The status of the list that shows who has read histories. The list has no editions, and no stream is ever parked for
 * the list.
 */
async function readersStatus(stores: Pick<Charter, 'log' | 'database'>) {
  const { version, position, lag } = await readReadsStatus(stores, Date.now());
  const isBehind = lag.seconds > READERS_CATCHING_UP_SECONDS;
  const phase = position === undefined ? 'not made yet' : isBehind ? 'catching up' : 'live';
  const figures = { lagEvents: lag.events, lagSeconds: lag.seconds };
  return { name: 'readers', version, phase, position: position ?? null, ...figures, parked: [] };
}
/**
 * If the list lags by more than this number of seconds, its phase is `catching up`. A server adds new reads to the list
 * every two seconds.
 */
const READERS_CATCHING_UP_SECONDS = 5;

/**
 * The phase of the projection according to the stores. The route `/health/ready` of a server shows the phase of that
 * server's projector.
 */
function phaseOf({ edition, paused, rebuildNeeded, lagSeconds, editions }: ProjectionStatus): string {
  const versionOf = (place: EditionSummary['place']) => editions.find((each) => each.place === place)?.version ?? 0;
  if (versionOf('building') > versionOf('live')) return 'rebuilding';
  if (rebuildNeeded !== undefined) return 'rebuild needed';
  if (edition === undefined) return 'not made yet';
  if (paused) return 'paused';
  return lagSeconds > CATCHING_UP_SECONDS ? 'catching up' : 'live';
}
const CATCHING_UP_SECONDS = 1;

/** The text below the table: the process that projects, the parked organizations, and the editions. */
const more = ({ rebuildNeeded, parked, paused, lease, editions, ...rest }: Status, bars: boolean): string[] => [
  lease
    ? `The process ${lease.holder} runs the projector. Its lease lasts until ${lease.until}.`
    : 'No process runs the projector.',
  ...(paused ? ['Paused. Continue with: charter projections resume'] : []),
  ...(rebuildNeeded === undefined ? [] : [rebuildNeeded]),
  ...(parked.length === 0 ? [] : [parkedStreams(parked)]),
  ...(editions.length === 0 ? [] : [editionsOf({ ...rest, editions }, bars)]),
];

const parkedStreams = (parked: ProjectionStatus['parked']) =>
  table(
    ['PARKED', 'REVISION', 'TYPE', 'POSITION', 'SINCE', 'ATTEMPTS', 'ERROR'],
    parked.map(({ stream, revision, type, position, since, attempts, released, error }) => {
      const tries = `${attempts}${released ? ', released' : ''}`;
      return [stream, String(revision), type, position, since, tries, error];
    }),
  );

function editionsOf({ editions, part }: Pick<Status, 'editions' | 'part'>, bars: boolean): string {
  const rows = editions.map(({ edition, version, place, part: read }) => {
    const done = place === 'live' ? part : read;
    const bar = bars && done < 1 && place !== 'retired' ? ` ${track(done, BAR_MARKS)}` : '';
    return [String(edition), String(version), place, `${percent(done)}${bar}`];
  });
  return table(['EDITION', 'VERSION', 'STATE', 'READ'], rows);
}

/**
 * The number of characters between the brackets of a progress bar. A line with a progress bar of this width fits into a
 * terminal of 40 columns.
 */
const BAR_MARKS = 12;

/** The status as JSON; unknown values are null. */
const printed = ({ edition, lagEvents, rebuildNeeded, ...known }: Status) => ({
  ...known,
  edition: edition ?? null,
  lagEvents: lagEvents ?? null,
  rebuildNeeded: rebuildNeeded ?? null,
});
