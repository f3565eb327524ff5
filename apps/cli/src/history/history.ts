import { UnknownRevision } from '@charter/aggregates';
import { lastEventOf } from '@charter/event-log';
import { eventTypes, organizationStream, repetitionsOf } from '@charter/organization';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { type EventFilter, filteredEvents } from './history-events';
import { linePrinter, tablePrinter } from './history-print';
import { isOutputClosed } from '../terminal/output';
import { refuseUnknownOrganization } from '../organizations/unknown-organization';
import { parseCount, eventTypesOf, organizationId, parseUntil, subjectPath } from '../terminal/argument-values';

export function addHistory(program: Command, { withStores }: ActionRunner): void {
  program
    .command('history')
    .argument('<ID>', 'an organization', organizationId)
    .description('print the events of an organization with their actors and times')
    .option('--as-of <R|T>', 'the history up to a revision, or up to a moment (ISO 8601)', parseUntil)
    .option('--from <R|T>', 'only from this revision or moment on', parseUntil)
    .option('--to <R|T>', 'only up to this revision or moment', parseUntil)
    .option('--type <types>', 'only events of these types, with commas between them', (text) =>
      eventTypesOf(text, eventTypes),
    )
    .option('--not-type <types>', 'only events of other types than these', (text) => eventTypesOf(text, eventTypes))
    .option('--about <path>', 'only events about this path, such as /members/ID', subjectPath)
    .option('--correlation <id>', 'only events of this request')
    .option('--actor <who>', 'only events of this actor: an id, or a kind such as key')
    .option('--fold', 'leave out the events that only confirm a plan or an add-on that was in force')
    .option('--newest', 'newest first')
    .option('--limit <n>', 'the largest number of events', parseCount)
    .action((id: string, choice: EventFilter, command: Command) => {
      if (choice.asOf && choice.to) command.error('error: --as-of and --to are the same: name one');
      const { json } = command.optsWithGlobals<{ json?: true }>();
      return withStores((charter, context) => history(charter, context, id, choice, json === true));
    });
}

/** Prints the history while reading it, so that only one page of the history is in memory. */
async function history(
  charter: Charter,
  context: ActionContext,
  id: string,
  choice: EventFilter,
  json: boolean,
): Promise<undefined> {
  const stream = organizationStream(id);
  const end = await lastEventOf(charter.log, stream);
  if (!end) refuseUnknownOrganization(id);
  const last = Number(end.revision);
  const { asOf } = choice;
  if (asOf && 'revision' in asOf && asOf.revision > last) throw new UnknownRevision(stream, asOf.revision, last);

  // If this release cannot fold the history, the command prints the events without marks for repetitions.
  const repetitions = await charter.organizations
    .query(stream, ({ state }) => repetitionsOf(state))
    .catch((error: unknown) => {
      if (choice.fold) throw error;
      return new Map<number, number>();
    });
  const print = json ? linePrinter(repetitions) : tablePrinter(repetitions);
  const bar = process.stdout.isTTY ? undefined : context.progress('events', last + 1);
  const onSeen = (events: number) => {
    context.signal.throwIfAborted();
    bar?.(events);
  };
  for await (const event of filteredEvents(charter.log, stream, choice, last, repetitions, onSeen)) {
    if (isOutputClosed()) break;
    await print.event(event);
  }
  await print.end();
}
