import { type CommandContext, isRefusal, recorded, type Recorded, eventContextOf, deepCopy } from '@charter/decider';
import fc from 'fast-check';
import { anyAsker, anyCommand, momentAfter } from './any-command.testing';
import type { OrganizationCommand } from '../commands';
import { organizationDecider } from '../decide';
import type { RefusalReason } from '../decision';
import { evolve, type OrganizationEvent } from '../events';
import type { Organization } from '../state';
import { catalogue, operator } from './organization.testing';

/** A command at a moment, the decision about it, and the frozen states before and after it. */
export type Scene = Readonly<{
  command: OrganizationCommand;
  context: CommandContext;
  before: Organization;
  events: readonly Recorded<OrganizationEvent>[];
  refused: RefusalReason | null;
  after: Organization;
  revision: number;
}>;
export type Life = Readonly<{ scenes: readonly Scene[]; events: readonly Recorded<OrganizationEvent>[] }>;

export const decider = organizationDecider(catalogue);

const anyStep = fc.record({ command: anyCommand, asker: anyAsker, minutes: fc.integer({ min: 0, max: 60 }) });
export const anyLife: fc.Arbitrary<Life> = fc
  .array(anyStep, { minLength: 1, maxLength: 120, size: 'max' })
  .map(execute);
export const longLife: fc.Arbitrary<Life> = fc
  .array(anyStep, { minLength: 60, maxLength: 60, size: 'max' })
  .map(execute);

/** Executes all commands on frozen states, so that a rule or a fold that changes its input fails. */
function execute(
  steps: readonly { command: OrganizationCommand; asker: Omit<CommandContext, 'at'>; minutes: number }[],
): Life {
  const events: Recorded<OrganizationEvent>[] = [];
  const scenes: Scene[] = [];
  let draft = decider.initial();
  let before = frozen(decider.initial());
  let minutes = 0;

  for (const { command, asker, minutes: passed } of [founding, ...steps]) {
    minutes += passed;
    const context: CommandContext = { ...asker, at: momentAfter(0, minutes) };
    const decision = decider.decide(frozen(command), before, frozen(context));
    const refused = isRefusal<RefusalReason>(decision) ? decision.refused : null;
    const newEvents = isRefusal(decision) ? [] : frozen(recorded(decision, context, events.length));
    for (const event of newEvents) draft = evolve(draft, event, eventContextOf(event));
    events.push(...newEvents);
    const after = newEvents.length > 0 ? frozen(deepCopy(draft)) : before;
    scenes.push({ command, context, before, events: newEvents, refused, after, revision: events.length - 1 });
    before = after;
  }
  return { scenes, events };
}

const founding = {
  command: { type: 'FoundOrganization', data: { name: 'Acme' } },
  asker: { actor: operator },
  minutes: 0,
} as const;

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
