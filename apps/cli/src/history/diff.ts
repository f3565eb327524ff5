import type { Moment } from '@charter/decider';
import type { HistoryPoint } from '@charter/aggregates';
import type { Cause, Causes, OrganizationDifference, DifferenceEnd, LimitSnapshot } from '@charter/organization-view';
import { type Charter, readOrganizationDifference } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { valueAfterText, valueBeforeText, pathText } from './diff-words';
import { actorText } from './event-sentence';
import { CommandDeclined } from '../terminal/problem';
import { amountText, countText } from '../terminal/amounts';
import { pairs, table } from '../terminal/table';
import { historyProgress } from './history-progress';
import { parseMoment, organizationId, parseUntil } from '../terminal/argument-values';

type Options = Readonly<{ from: HistoryPoint; to?: HistoryPoint; valid?: Moment }>;

export function addDiff(program: Command, { withStores }: ActionRunner): void {
  program
    .command('diff')
    .argument('<ID>', 'an organization', organizationId)
    .description('print the changes between two moments, with their events and actors')
    .requiredOption('--from <R|T>', 'a revision, or a moment (ISO 8601)', parseUntil)
    .option('--to <R|T>', 'a later revision or moment; default: the present', parseUntil)
    .option('--valid <T>', 'compare the state in force at T, as recorded at --from and at --to', parseMoment)
    .action((id: string, options: Options) => withStores((charter, context) => diff(charter, context, id, options)));
}

async function diff(charter: Charter, context: ActionContext, id: string, options: Options): Promise<CommandAnswer> {
  const show = await historyProgress(charter, context, id);
  const between = { ...options, now: new Date().toISOString() };
  const difference = await readOrganizationDifference(charter, id, between, context.signal, show);
  if (!difference)
    throw new CommandDeclined(
      'no-such-organization',
      404,
      `There is no organization ${id}, or it was founded after these moments.`,
    );
  return { text: textOf(difference), json: { organization: id, ...difference } };
}

function textOf(difference: OrganizationDifference): string {
  const { from, to, valid, events, state, entitlements } = difference;
  const limits = Object.entries(entitlements.limits);
  const features = Object.entries(entitlements.features);
  const changes = [
    state.length > 0 &&
      table(
        ['RECORDED STATE', 'BEFORE', 'AFTER', 'BECAUSE OF'],
        state.map((line) => [pathText(line.path), valueBeforeText(line), valueAfterText(line), because(line)]),
      ),
    limits.length > 0 &&
      table(
        ['LIMIT OF', 'BEFORE', 'AFTER', 'BECAUSE OF'],
        limits.map(([name, line]) => [name, spokenLimit(line.before), spokenLimit(line.after), because(line)]),
      ),
    features.length > 0 &&
      table(
        ['FEATURE', 'BEFORE', 'AFTER', 'BECAUSE OF'],
        features.map(([name, line]) => [name, onOff(line.before), onOff(line.after), because(line)]),
      ),
  ].filter((part) => part !== false);
  const ends: readonly (readonly [string, string])[] = [
    ['from', spokenEnd(from)],
    ['to', spokenEnd(to)],
    ...(valid === null ? [] : [['in force at', valid] as const]),
    ['events', String(events)],
  ];
  const same = events === 0 ? 'Nothing changed.' : SAME_AT_BOTH;
  return [pairs(ends), ...(changes.length > 0 ? changes : [same])].join('\n\n');
}

/**
 * Printed if both ends of the compared range have the same values although there are events between the ends. For
 * example, values changed and changed back, or the events correct the state of an earlier moment.
 */
const SAME_AT_BOTH =
  'Both ends have the same values. To see whether the events changed an earlier moment T, add --valid <T>.';

const spokenEnd = ({ revision, at, moment: requested }: DifferenceEnd) =>
  at === null
    ? `before it was founded, ${requested}`
    : `revision ${revision}, recorded ${at}${requested === at ? '' : `, as of ${requested}`}`;

/** A limit as text, for example `8, 9 used, 1 over`. */
const spokenLimit = ({ limit, used, over }: LimitSnapshot) =>
  [amountText(limit ?? Infinity), `${used} used`, ...(over > 0 ? [`${over} over`] : [])].join(', ');

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

/**
 * The newest events that caused a change, and the number of the earlier events that also caused the change, as text.
 */
function because({ causes, causesInAll }: Causes): string {
  const shown = causes.slice(-CAUSES_SHOWN);
  const more = causesInAll - shown.length;
  return [...shown.map(spokenCause), ...(more > 0 ? [`and ${countText(more, 'event')} before`] : [])].join('; ');
}
const CAUSES_SHOWN = 2;

const spokenCause = ({ revision, type, actor, effectiveAt, backDated, endedAt }: Cause) =>
  [
    `event ${revision} ${type}${actor === null ? '' : ` by ${actorText(actor)}`}`,
    ...(backDated && effectiveAt !== undefined ? [`back-dated to ${effectiveAt}`] : []),
    ...(endedAt === undefined ? [] : [`ended by itself ${endedAt}`]),
  ].join(', ');
