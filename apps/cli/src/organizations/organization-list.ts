import type { ListCursor } from '@charter/database';
import { readProjectionStatus } from '@charter/projections';
import { organizationIdOf } from '@charter/organization';
import { organizationView, planTag } from '@charter/organization-view';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import { z } from 'zod';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionRunner } from '../terminal/action-runner';
import { noReadModelYet } from '../terminal/problem';
import { countText } from '../terminal/amounts';
import { table } from '../terminal/table';
import { parseCount, UsageError, planOf } from '../terminal/argument-values';

type ListOptions = Readonly<{ q?: string; plan?: ReturnType<typeof planOf>; limit: number; cursor?: ListCursor }>;

export function addList(organization: Command, { withStores }: ActionRunner): void {
  organization
    .command('list')
    .description('list organizations by name; the list may lag behind the last events')
    .option('--q <text>', 'only organizations with this text in their name')
    .option('--plan <LINE/PLAN>', 'only organizations that hold this plan', planOf)
    .option('--limit <n>', 'the largest number of entries', parseCount, 100)
    .option('--cursor <cursor>', 'continue after the page that printed this cursor', placeOf)
    .action((options: ListOptions) => withStores((charter) => list(charter, options)));
}

async function list({ log, view }: Charter, { q, plan, limit, cursor: after }: ListOptions): Promise<CommandAnswer> {
  const { edition, rebuildNeeded, lagEvents, lagSeconds } = await readProjectionStatus(log, view, organizationView);
  if (edition === undefined || rebuildNeeded !== undefined) throw noReadModelYet(rebuildNeeded);
  const tags = plan ? [planTag(`${plan.line}/${plan.plan}`)] : [];
  const { rows, next } = await view.list({ q, tags, after, limit });
  const organizations = rows.map(({ stream, name, columns, revision }) => {
    // the cast is safe, because `organizationView` stores `plans` in this form
    return { id: organizationIdOf(stream), name, plans: columns['plans'] as Plans, revision };
  });
  const text = table(
    ['NAME', 'PLANS', 'REVISION', 'ID'],
    organizations.map(({ id, name, plans, revision }) => [name, spokenPlans(plans), String(revision), id]),
  );
  const notes = [
    ...(organizations.length === 0 ? ['No organization matches.'] : [text]),
    ...(next ? [`There are more: --cursor ${cursorAt(next)}`] : []),
    ...(lagSeconds === 0 ? [] : [trailing(lagEvents, lagSeconds)]),
  ];
  return { text: notes.join('\n\n'), json: { organizations, next: next ? cursorAt(next) : null } };
}

const trailing = (events: number | undefined, seconds: number) =>
  `The list does not show ${events === undefined ? `the changes of the last ${Math.ceil(seconds)} seconds` : `the last ${countText(events, 'event')}`} yet.`;

type Plans = Readonly<Record<'first' | 'second', { plan: string } | null>>;

const spokenPlans = (plans: Plans) =>
  Object.entries(plans)
    .flatMap(([line, held]) => (held ? [`${line}/${held.plan}`] : []))
    .join(', ') || '-';

const Place = z.strictObject({ sort: z.string(), stream: z.string() });
const cursorAt = (key: ListCursor) => Buffer.from(JSON.stringify(key)).toString('base64url');

function placeOf(cursor: string): ListCursor {
  try {
    return Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new UsageError('The value must be the cursor that an earlier list printed.');
  }
}
