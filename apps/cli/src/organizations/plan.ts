import { Refused } from '@charter/aggregates';
import { type OrganizationCommand, organizationStream, ProductLine } from '@charter/organization';
import type { PreviewDocument } from '@charter/organization-view';
import { type Charter, type CommandPreview, previewNow } from '@charter/application';
import { Argument, type Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import type { ActionRunner } from '../terminal/action-runner';
import { table } from '../terminal/table';
import { organizationId, planOf, today } from '../terminal/argument-values';
import { executeOnOrganization } from './execute-on-organization';

type Chosen = ReturnType<typeof planOf>;
type PlanOptions = Readonly<{ terms?: 'today' }>;
type Act = (charter: Charter, id: string, plan: Chosen, options: PlanOptions) => Promise<CommandAnswer>;

export function addPlan(program: Command, { withStores }: ActionRunner): void {
  const plan = program.command('plan').description('the plans of an organization');
  const word = (name: string, description: string, act: Act) =>
    plan
      .command(name)
      .argument('<ID>', 'the organization', organizationId)
      .argument('<LINE/PLAN>', 'the plan, such as second/teams', planOf)
      .description(description)
      .option(
        '--terms <today>',
        "grant the terms of today's catalogue, also if the organization holds the plan already",
        today,
      )
      .action((id: string, chosen: Chosen, options: PlanOptions) =>
        withStores((charter) => act(charter, id, chosen, options)),
      );
  word('assign', 'assign a plan', assign);
  word('preview', 'print the changes that a plan would make; nothing is written', preview);
  plan
    .command('end')
    .argument('<ID>', 'the organization', organizationId)
    .addArgument(new Argument('<LINE>', 'the product line whose plan ends').choices(ProductLine.options))
    .description('end the plan of a product line')
    .action((id: string, line: ProductLine) => withStores((charter) => end(charter, id, line)));
}

const assign: Act = (charter, id, chosen, options) =>
  executeOnOrganization(charter, id, assignPlan(chosen, options), {
    done: `${spoken(chosen)} is assigned.`,
    unchanged: `The organization already has ${spoken(chosen)}.`,
  });

const end = (charter: Charter, id: string, line: ProductLine) =>
  executeOnOrganization(
    charter,
    id,
    { type: 'EndPlan', data: { line } },
    {
      done: `The plan of the ${line} line has ended.`,
      unchanged: `The organization has no plan of the ${line} line.`,
    },
  );

async function preview(charter: Charter, id: string, chosen: Chosen, options: PlanOptions): Promise<CommandAnswer> {
  const commands = [assignPlan(chosen, options)];
  const { refused, ...effect } = await previewNow(charter, {
    ...{ id, commands, context: commandLineContext() },
    isLenient: false,
  });
  if (refused[0]) throw new Refused(refused[0].refusal);
  const name = await charter.organizations.query(organizationStream(id), ({ state }) => state.name);
  return {
    text: [headline(chosen, name, effect), ...spokenChanges(effect)].join('\n\n'),
    json: effect,
  };
}

const assignPlan = (chosen: Chosen, { terms }: PlanOptions): OrganizationCommand => ({
  type: 'AssignPlan',
  data: { ...chosen, ...(terms && { terms }) },
});

const spoken = ({ line, plan }: Chosen) => `${line}/${plan}`;

const headline = (chosen: Chosen, name: string, { revision, events }: Pick<CommandPreview, 'revision' | 'events'>) =>
  events.length > 0
    ? `${spoken(chosen)} for ${name}, which is at revision ${revision}. Nothing is written.`
    : `${name} holds ${spoken(chosen)} already: nothing would be recorded.`;

/** The changed values, each before and after the change. */
function spokenChanges({ limits, features }: PreviewDocument): string[] {
  const rows = Object.entries(limits).map(([resource, { before, after }]) => {
    const figures = [before.limit, after.limit].map((limit) => String(limit ?? 'unlimited'));
    return [resource, ...figures, String(after.used), after.over > 0 ? String(after.over) : '-'];
  });
  const changed = [
    ...features.lost.map((feature) => [feature, 'on', 'off']),
    ...features.gained.map((feature) => [feature, 'off', 'on']),
  ];
  return [
    rows.length > 0 ? table(['LIMIT OF', 'BEFORE', 'AFTER', 'USED', 'OVER BY'], rows) : 'No limit changes.',
    changed.length > 0 ? table(['FEATURE', 'BEFORE', 'AFTER'], changed) : 'No feature changes.',
  ];
}
