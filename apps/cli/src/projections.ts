import { nowhere, type ProjectionStatus, rebuild, statusOf, verifyView } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import type { Charter } from '@charter/wiring';
import type { Command } from 'commander';
import type { Answer } from './answer';
import type { Desk, Doing } from './desk';
import { Declined, notYet } from './problem';
import { spokenCount, spokenMoment } from './spoken';
import { pairs, table } from './table';
import { organizationId } from './values';

export function addProjections(program: Command, { onStores }: Doing): void {
  const projections = program.command('projections').description('the read model, and whoever keeps it up to date');
  const word = (name: string, description: string) => projections.command(name).description(description);

  word('status', 'say how far the read model is').action(() => onStores(status));
  word('rebuild', 'make the read model anew from all events, beside the one that answers meanwhile')
    .option('--drop-retired', 'afterwards delete the documents of earlier builds, the one just replaced too')
    .action((options: RebuildOptions) => onStores((charter, desk) => build(charter, desk, options)));
  word('verify', 'compare the read model with a replay of all events').action(() => onStores(verify));
  word('pause', 'let whoever projects stop, until resume').action(() => onStores(pause));
  word('resume', 'let whoever projects go on').action(() => onStores(resume));
  word('release', 'try a parked organization again')
    .argument('<ID>', 'the organization', organizationId)
    .action((id: string) => onStores((charter) => release(charter, id)));
}

type RebuildOptions = Readonly<{ dropRetired?: true }>;

async function status({ log, view }: Charter): Promise<Answer> {
  const all = [await statusOf(log, view, organizationView)];
  const text = table(
    ['NAME', 'VERSION', 'STATE', 'EVENTS BEHIND', 'SECONDS BEHIND', 'PARKED'],
    all.map(({ name, version, lagEvents, lagSeconds, parked, ...rest }) => {
      const figures = [lagEvents ?? 'unknown', lagSeconds, parked.length].map(String);
      return [name, String(version), stateOf(rest), ...figures];
    }),
  );
  return { text: [text, ...all.flatMap(concerns)].join('\n\n'), json: all.map(printedStatus) };
}

type State = Pick<ProjectionStatus, 'edition' | 'paused' | 'rebuildNeeded'>;

function stateOf({ edition, paused, rebuildNeeded }: State): string {
  if (rebuildNeeded !== undefined) return 'rebuild needed';
  if (edition === undefined) return 'not made yet';
  return paused ? 'paused' : 'live';
}

/** What somebody has to do something about. */
const concerns = ({ rebuildNeeded, parked }: ProjectionStatus) => [
  ...(rebuildNeeded === undefined ? [] : [`It must be rebuilt: ${rebuildNeeded}.`]),
  ...(parked.length === 0 ? [] : [parkedStreams(parked)]),
];

const parkedStreams = (parked: ProjectionStatus['parked']) =>
  table(
    ['PARKED', 'REVISION', 'SINCE', 'ATTEMPTS', 'ERROR'],
    parked.map(({ stream, revision, since, attempts, error }) => {
      return [stream, String(revision), spokenMoment(since), String(attempts), error];
    }),
  );

/** What is not known is null. */
const printedStatus = ({ edition, lagEvents, rebuildNeeded, ...known }: ProjectionStatus) => ({
  ...known,
  edition: edition ?? null,
  lagEvents: lagEvents ?? null,
  rebuildNeeded: rebuildNeeded ?? null,
});

async function build({ log, view }: Charter, desk: Desk, { dropRetired }: RebuildOptions): Promise<Answer> {
  const begun = performance.now();
  const show = desk.progress('events', (await log.lag?.(nowhere)) ?? 0);
  const onProgress = ({ events }: { events: number }) => show(events);
  const rebuilt = await rebuild(log, view, organizationView, { onProgress, signal: desk.signal });
  const dropped = dropRetired ? await view.dropRetired() : 0;
  const seconds = Math.round(performance.now() - begun) / 1000;
  const { edition, events, position, compared } = rebuilt;
  const text = [
    `Edition ${edition} answers now: ${spokenCount(events, 'event')} in ${seconds} seconds.`,
    ...(compared && compared.differences > 0
      ? [
          `It differs from the one before in ${spokenCount(compared.differences, 'document')}, those that began meanwhile included.`,
        ]
      : []),
    ...(dropRetired ? [`${spokenCount(dropped, 'earlier edition')} dropped.`] : []),
  ];
  return { text: text.join('\n'), json: { edition, events, position, seconds, dropped, compared: compared ?? null } };
}

async function verify({ log, view }: Charter, desk: Desk): Promise<Answer> {
  const { rebuildNeeded } = await statusOf(log, view, organizationView);
  const live = await view.live();
  if (live?.version !== organizationView.version) throw notYet(rebuildNeeded);

  const show = desk.progress('events', (await log.lag?.(nowhere)) ?? 0);
  const verified = await verifyView(log, live, organizationView, show);
  const { documents, hash, differences, different } = verified;
  const ok = verified.ok && rebuildNeeded === undefined;
  const text = ok
    ? [`The read model equals the replay: ${spokenCount(documents, 'document')}, hash ${hash}.`]
    : [
        `The read model does not equal the replay: ${different} of ${spokenCount(documents, 'document')}.`,
        ...(rebuildNeeded === undefined ? [] : [`It must be rebuilt: ${rebuildNeeded}.`]),
        ...differences.map(({ stream, revision, why }) => `${stream}, revision ${revision}: ${why}.`),
      ];
  return { text: text.join('\n'), json: { ...verified, ok, rebuildNeeded: rebuildNeeded ?? null }, ok };
}

async function pause({ view }: Charter): Promise<Answer> {
  await view.pause();
  return paused(true);
}

async function resume({ view }: Charter): Promise<Answer> {
  await view.resume();
  return paused(false);
}

const paused = (isPaused: boolean): Answer => ({
  text: pairs([[organizationView.name, isPaused ? 'paused; charter projections resume lets it go on' : 'goes on']]),
  json: { name: organizationView.name, paused: isPaused },
});

async function release({ view }: Charter, id: string): Promise<Answer> {
  const stream = organizationStream(id);
  if (!(await view.release(stream))) throw new Declined('not-parked', 409, `The organization ${id} is not parked.`);
  const text = `Whoever projects tries ${stream} again. charter projections status says whether it helped.`;
  return { text, json: { name: organizationView.name, stream, released: true } };
}
