import { UnknownRevision } from '@charter/aggregates';
import { lastOf } from '@charter/event-log';
import { eventTypes, organizationStream } from '@charter/organization';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { Desk, Doing } from '../terminal/action-runner';
import { type Choice, eventsChosen } from './history-events';
import { printLines, printTable } from './history-print';
import { isReadNoMore } from '../terminal/output';
import { Declined } from '../terminal/problem';
import { count, eventTypesOf, organizationId, until } from '../terminal/argument-values';

export function addHistory(program: Command, { onStores }: Doing): void {
  program
    .command('history')
    .argument('<ID>', 'an organization', organizationId)
    .description('what happened to an organization, who did it, and when')
    .option('--as-of <R|T>', 'what was recorded by a revision, or by a moment (ISO 8601)', until)
    .option('--from <R|T>', 'only from this revision or moment on', until)
    .option('--to <R|T>', 'only up to this revision or moment', until)
    .option('--type <types>', 'only events of these types, with commas between them', (text) =>
      eventTypesOf(text, eventTypes),
    )
    .option('--actor <who>', 'only what this actor did: an id, or a kind such as key')
    .option('--newest', 'the newest first')
    .option('--limit <n>', 'how many events at most', count)
    .action((id: string, choice: Choice, command: Command) => {
      if (choice.asOf && choice.to) command.error('error: --as-of and --to are the same: name one');
      const { json } = command.optsWithGlobals<{ json?: true }>();
      return onStores((charter, desk) => history(charter, desk, id, choice, json === true));
    });
}

/** Written while it is read: any history, in the memory of one page of it. */
async function history(charter: Charter, desk: Desk, id: string, choice: Choice, json: boolean): Promise<undefined> {
  const stream = organizationStream(id);
  const end = await lastOf(charter.log, stream);
  if (!end) throw new Declined('no-such-organization', 404, `There is no organization ${id}.`);
  const last = Number(end.revision);
  const { asOf } = choice;
  if (asOf && 'revision' in asOf && asOf.revision > last) throw new UnknownRevision(stream, asOf.revision, last);

  const print = json ? printLines() : printTable();
  const bar = process.stdout.isTTY ? undefined : desk.progress('events', last + 1);
  const onSeen = (events: number) => {
    desk.signal.throwIfAborted();
    bar?.(events);
  };
  for await (const event of eventsChosen(charter.log, stream, choice, last, onSeen)) {
    if (isReadNoMore()) break;
    await print.event(event);
  }
  await print.end();
}
