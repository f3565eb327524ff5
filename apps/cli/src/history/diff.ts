import type { Moment } from '@charter/decider';
import type { Until } from '@charter/aggregates';
import type { Cause, Causes, Difference, End, LimitLook } from '@charter/organization-view';
import { type Charter, differenceOf } from '@charter/application';
import type { Command } from 'commander';
import type { Answer } from '../terminal/command-answer';
import type { Desk, Doing } from '../terminal/action-runner';
import { spokenAfter, spokenBefore, spokenPath } from './diff-words';
import { spokenActor } from './event-sentence';
import { Declined } from '../terminal/problem';
import { spokenAmount, spokenCount } from '../terminal/amounts';
import { pairs, table } from '../terminal/table';
import { throughHistory } from './history-progress';
import { moment, organizationId, until } from '../terminal/argument-values';

type Options = Readonly<{ from: Until; to?: Until; valid?: Moment }>;

export function addDiff(program: Command, { onStores }: Doing): void {
  program
    .command('diff')
    .argument('<ID>', 'an organization', organizationId)
    .description('what changed between two moments, and which events and actors changed it')
    .requiredOption('--from <R|T>', 'a revision, or a moment (ISO 8601)', until)
    .option('--to <R|T>', 'a later one; without it, the present', until)
    .option('--valid <T>', 'compare what was in force at this moment, by what was recorded at each of the two', moment)
    .action((id: string, options: Options) => onStores((charter, desk) => diff(charter, desk, id, options)));
}

async function diff(charter: Charter, desk: Desk, id: string, options: Options): Promise<Answer> {
  const show = await throughHistory(charter, desk, id);
  const between = { ...options, now: new Date().toISOString() };
  const difference = await differenceOf(charter, id, between, desk.signal, show);
  if (!difference) throw new Declined('no-such-organization', 404, `There is no organization ${id}, or was none then.`);
  return { text: textOf(difference), json: { organization: id, ...difference } };
}

function textOf(difference: Difference): string {
  const { from, to, valid, events, state, entitlements } = difference;
  const limits = Object.entries(entitlements.limits);
  const features = Object.entries(entitlements.features);
  const changes = [
    state.length > 0 &&
      table(
        ['WHAT IS RECORDED', 'BEFORE', 'AFTER', 'BECAUSE OF'],
        state.map((line) => [spokenPath(line.path), spokenBefore(line), spokenAfter(line), because(line)]),
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

/** Changed and changed back; or news about a moment that was over already. */
const SAME_AT_BOTH =
  'Nothing is different at these two ends. What these events say about an earlier moment shows with --valid <T>.';

const spokenEnd = ({ revision, at, moment: asked }: End) =>
  at === null
    ? `before it was founded, ${asked}`
    : `revision ${revision}, recorded ${at}${asked === at ? '' : `, as of ${asked}`}`;

/** Such as `8, 9 used, 1 over`. */
const spokenLimit = ({ limit, used, over }: LimitLook) =>
  [spokenAmount(limit ?? Infinity), `${used} used`, ...(over > 0 ? [`${over} over`] : [])].join(', ');

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

/** The newest of what caused it, and how many more there are. */
function because({ causes, causesInAll }: Causes): string {
  const told = causes.slice(-CAUSES_TOLD);
  const more = causesInAll - told.length;
  return [...told.map(spokenCause), ...(more > 0 ? [`and ${spokenCount(more, 'event')} before`] : [])].join('; ');
}
const CAUSES_TOLD = 2;

const spokenCause = ({ revision, type, actor, effectiveAt, backDated, endedAt }: Cause) =>
  [
    `event ${revision} ${type}${actor === null ? '' : ` by ${spokenActor(actor)}`}`,
    ...(backDated && effectiveAt !== undefined ? [`back-dated to ${effectiveAt}`] : []),
    ...(endedAt === undefined ? [] : [`ended by itself ${endedAt}`]),
  ].join(', ');
