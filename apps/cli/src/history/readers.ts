import {
  type Charter,
  createHistoryReaders,
  createReadsProjector,
  type HistoryReaderEntry,
} from '@charter/application';
import type { Moment } from '@charter/decider';
import type { Command } from 'commander';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { organizationId, parseCount, parseMoment } from '../terminal/argument-values';
import type { CommandAnswer } from '../terminal/command-answer';
import { refuseUnknownOrganization } from '../organizations/unknown-organization';
import { table } from '../terminal/table';

type ReaderOptions = Readonly<{ from?: Moment; to?: Moment; limit: number }>;

export function addReaders(program: Command, { withStores }: ActionRunner): void {
  program
    .command('readers')
    .argument('<ID>', 'an organization', organizationId)
    .description('print the people and keys that read, followed or exported the history, by hour')
    .option('--from <T>', 'only from the hour of this moment on (ISO 8601)', parseMoment)
    .option('--to <T>', 'only up to the hour of this moment', parseMoment)
    .option('--limit <n>', 'the largest number of entries', parseCount, 100)
    .action((id: string, options: ReaderOptions) =>
      withStores((charter, context) => readers(charter, context, id, options)),
    );
}

/**
 * Lists the readers of a history. First adds the newest reads to the list: if no server is running, no other process
 * adds these reads.
 */
async function readers(
  charter: Charter,
  { signal }: ActionContext,
  id: string,
  options: ReaderOptions,
): Promise<CommandAnswer> {
  await createReadsProjector(charter).catchUp(() => signal.aborted);
  signal.throwIfAborted();
  const page = await createHistoryReaders(charter).read(id, options, signal);
  if (!page) refuseUnknownOrganization(id);
  const shown = page.readers.map(shownOf);
  const rows = shown.map(({ hour, actor, as, did }) => [hour, as ?? '-', `${actor.kind} ${actor.id}`, did]);
  const notes = [
    rows.length > 0 ? table(['HOUR (UTC)', 'AS', 'READER', 'ACTION'], rows) : 'No reads.',
    ...(page.next ? ['There are more: choose a larger --limit, or an earlier --to.'] : []),
  ];
  return { text: notes.join('\n\n'), json: { readers: shown, isComplete: page.next === undefined } };
}

const shownOf = ({ at, kind, reader, as, did }: HistoryReaderEntry) => ({
  hour: at.slice(0, 'YYYY-MM-DDTHH'.length),
  actor: { kind, id: reader },
  as: as ?? null,
  did,
});
