import { Refused } from '@charter/aggregates';
import { type OrganizationCommand, type OrganizationEvent, organizationStream } from '@charter/organization';
import { type EntitlementChanges, changesBetween, receiptDocument } from '@charter/organization-view';
import type { Charter } from '@charter/application';
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

async function preview(
  { organizations }: Charter,
  id: string,
  chosen: Chosen,
  options: PlanOptions,
): Promise<CommandAnswer> {
  const context = commandLineContext();
  const outcome = await organizations.preview(organizationStream(id), [assignPlan(chosen, options)], context);
  if ('refusal' in outcome) throw new Refused(outcome.refusal);
  const { revision, before, after, events } = outcome;
  const changes = changesBetween(before, after, context.at);
  return {
    text: [headline(chosen, before.state.name, revision, events), ...spokenChanges(changes)].join('\n\n'),
    json: { revision, events, ...changes },
  };
}

const assignPlan = (chosen: Chosen, { terms }: PlanOptions): OrganizationCommand => ({
  type: 'AssignPlan',
  data: { ...chosen, ...(terms && { terms }) },
});

const spoken = ({ line, plan }: Chosen) => `${line}/${plan}`;

const headline = (chosen: Chosen, name: string, revision: number, events: readonly OrganizationEvent[]) =>
  events.length > 0
    ? `${spoken(chosen)} for ${name}, which is at revision ${revision}. Nothing is written.`
    : `${name} holds ${spoken(chosen)} already: nothing would be recorded.`;

/** The changed values, each before and after the change. */
function spokenChanges({ limits, features }: EntitlementChanges): string[] {
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
