import { Refused } from '@charter/aggregates';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import { type PreviewDocument, receiptDocument } from '@charter/organization-view';
import { type Charter, type CommandPreview, previewNow } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import { commandLineCommands } from '../terminal/organization-commands';
import type { ActionRunner } from '../terminal/action-runner';
import { table } from '../terminal/table';
import { organizationId, planOf, today } from '../terminal/argument-values';

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
}

async function assign(charter: Charter, id: string, chosen: Chosen, options: PlanOptions): Promise<CommandAnswer> {
  const receipt = await commandLineCommands(charter).execute(id, assignPlan(chosen, options), commandLineContext());
  const { events, revision } = receipt;
  const text =
    events.length > 0
      ? `${spoken(chosen)} is assigned. The organization is at revision ${revision}.`
      : `The organization already has ${spoken(chosen)}. Nothing was written; the revision is ${revision}.`;
  return { text, json: receiptDocument(id, receipt) };
}

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
    rows.length > 0 ? table(['LIMIT OF', 'BEFORE', 'AFTER', 'USED', 'THEN OVER'], rows) : 'No limit changes.',
    changed.length > 0 ? table(['FEATURE', 'BEFORE', 'AFTER'], changed) : 'No feature changes.',
  ];
}
