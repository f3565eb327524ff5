import {
  type EditionComparison,
  type RebuildProgress,
  rebuild,
  readProjectionStatus,
  type ViewVerification,
  verifyView,
} from '@charter/projections';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { CommandDeclined, noReadModelYet } from '../terminal/problem';
import { projectionStatus } from './projection-status';
import { watchStatus } from './projection-watch';
import { countText } from '../terminal/amounts';
import { pairs } from '../terminal/table';
import { organizationId } from '../terminal/argument-values';

export function addProjections(program: Command, { withStores }: ActionRunner): void {
  const projections = program.command('projections').description('the read model and its projector');
  const word = (name: string, description: string) => projections.command(name).description(description);

  word('status', 'print the position of the read model, its projector and the parked organizations')
    .option('--watch', 'repeat every second until Ctrl+C')
    .action(({ watch }: { watch?: true }, command: Command) =>
      withStores((charter, context) =>
        watch ? watchStatus(charter, context, command.optsWithGlobals()) : status(charter),
      ),
    );
  word('rebuild', 'build the read model again from all events, beside the live edition')
    .option('--drop-retired', 'then delete the documents of earlier editions, the replaced edition too')
    .option('--accept-differences', 'activate the new edition even if the live documents differ from the log')
    .option('--take-over', 'take over from another rebuild, which then stops')
    .action((options: RebuildWords) => withStores((charter, context) => build(charter, context, options)));
  word('verify', 'compare the read model with a replay of all events').action(() => withStores(verify));
  word('pause', 'pause the projector until resume').action(() => withStores(pause));
  word('resume', 'continue after a pause').action(() => withStores(resume));
  word('release', 'try a parked organization again')
    .argument('<ID>', 'the organization', organizationId)
    .action((id: string) => withStores((charter) => release(charter, id)));
}

type RebuildWords = Readonly<{ dropRetired?: true; acceptDifferences?: true; takeOver?: true }>;

const status = (charter: Charter): Promise<CommandAnswer> => projectionStatus(charter, process.stdout.isTTY);

async function build(
  { log, view, database }: Charter,
  context: ActionContext,
  options: RebuildWords,
): Promise<CommandAnswer> {
  const { dropRetired, ...rebuildOptions } = options;
  const begun = performance.now();
  const show = context.gauge('rebuilding');
  const onProgress = ({ events, part }: RebuildProgress) => show(part, countText(events, 'event'));
  const rebuilt = await rebuild(log, view, organizationView, { ...rebuildOptions, onProgress, signal: context.signal });
  await database.historyReads.reset(); // the server then projects the list of readers anew
  const dropped = dropRetired ? await view.dropRetired() : 0;
  const seconds = Math.round(performance.now() - begun) / 1000;
  const { edition, events, position, compared } = rebuilt;
  const text = [
    `Edition ${edition} answers now: ${countText(events, 'event')} in ${seconds} seconds.`,
    ...(compared ? [spokenComparison(compared)] : []),
    ...(dropRetired ? [`${countText(dropped, 'earlier edition')} dropped.`] : []),
  ];
  return { text: text.join('\n'), json: { edition, events, position, seconds, dropped, compared: compared ?? null } };
}

const spokenComparison = ({ equal, moving, differences, hash }: EditionComparison): string =>
  differences > 0
    ? `The new edition differs from the previous edition in ${countText(differences, 'document')}, which did not equal the log.`
    : `The new edition equals the previous edition: ${countText(equal, 'document')}, hash ${hash}${moving > 0 ? `; ${moving} changed during the comparison` : ''}.`;

async function verify({ log, view }: Charter, context: ActionContext): Promise<CommandAnswer> {
  const { rebuildNeeded } = await readProjectionStatus(log, view, organizationView);
  const live = await view.live();
  if (live?.version !== organizationView.version) throw noReadModelYet(rebuildNeeded);

  const total = await live.size();
  const [documents, events] = [context.progress('documents', total), context.gauge('events')];
  const verified = await verifyView(log, live, organizationView, (progress) => {
    if (progress.step === 'documents') documents(progress.documents);
    else events(progress.part, countText(progress.events, 'event'));
  });
  const ok = verified.ok && rebuildNeeded === undefined;
  const text = ok ? [equalText(verified)] : [...differentText(verified), ...(rebuildNeeded ? [rebuildNeeded] : [])];
  return { text: text.join('\n'), json: { ...verified, ok, rebuildNeeded: rebuildNeeded ?? null }, ok };
}

const equalText = ({ documents, hash }: ViewVerification): string =>
  `The read model equals the replay: ${countText(documents, 'document')}, hash ${hash}.`;

const differentText = ({ documents, different, differences }: ViewVerification): string[] => [
  `The read model does not equal the replay: ${different} of ${countText(documents, 'document')}.`,
  ...differences.map(({ stream, revision, why }) => `${stream}, revision ${revision}: ${why}.`),
  'To replace it with a replay of the log: charter projections rebuild --accept-differences',
];

async function pause({ view }: Charter): Promise<CommandAnswer> {
  await view.pause();
  return paused(true);
}

async function resume({ view }: Charter): Promise<CommandAnswer> {
  await view.resume();
  return paused(false);
}

const paused = (isPaused: boolean): CommandAnswer => ({
  text: pairs([
    [organizationView.name, isPaused ? 'paused; continue with charter projections resume' : 'no longer paused'],
  ]),
  json: { name: organizationView.name, paused: isPaused },
});

async function release({ view }: Charter, id: string): Promise<CommandAnswer> {
  const stream = organizationStream(id);
  if (!(await view.release(stream)))
    throw new CommandDeclined('not-parked', 409, `The organization ${id} is not parked.`);
  const text = `The projector tries ${stream} again. charter projections status shows the result.`;
  return { text, json: { name: organizationView.name, stream, released: true } };
}
