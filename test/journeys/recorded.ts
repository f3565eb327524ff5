import { randomUUID } from 'node:crypto';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import type { KnownCommand } from '../../web/src/console/draft/address/draft-address';
import type { CommandLine } from '../cli/command-line';

/** One command, or all commands of one request, with the metadata for the events that they record. */
export type Recorded = Readonly<{
  command: OrganizationCommand | readonly OrganizationCommand[];
  /** The moment when the events are recorded; now by default. */
  at?: string;
  by?: 'system' | 'billing';
  /** The id of the request; a new id by default. */
  request?: string;
}>;

/** Executes commands on an organization one after the other, each with its metadata. */
export const record = (charter: CommandLine, id: string, all: readonly Recorded[]) =>
  charter.inside(async ({ organizations }) => {
    for (const { command, at = new Date().toISOString(), by = 'system', request = randomUUID() } of all)
      await organizations.execute(organizationStream(id), command, {
        actor: actors[by],
        ...{ at, command: request, correlation: request, causation: request },
      });
  });

const actors = {
  system: { kind: 'system', id: 'journey', powers: ['operator'] },
  billing: { kind: 'billing', id: 'stripe', powers: ['billing:write'] },
} as const;

type FoundingData = Readonly<{ name: string; at?: string }>;

/** The command that founds an organization. */
export const founding = ({ name, at }: FoundingData): Recorded => ({
  command: { type: 'FoundOrganization', data: { name } },
  ...(at !== undefined && { at }),
});
/**
 * The command that assigns a plan of the product line `second`. With `effectiveAt`, the plan is in force from that
 * moment, not from its recording.
 */
export const plan = (name: 'teams' | 'solo', effectiveAt?: string): OrganizationCommand => ({
  type: 'AssignPlan',
  data: { line: 'second', plan: name, ...(effectiveAt !== undefined && { effectiveAt }) },
});
export const member = (id: string = randomUUID(), role: 'owner' | 'member' = 'member'): OrganizationCommand => ({
  type: 'AddMember',
  data: { member: id, role },
});
export const site = (hostname: string): OrganizationCommand => ({
  type: 'AddSite',
  data: { site: randomUUID(), hostname },
});
export const moreUsers = (quantity: number): OrganizationCommand => ({
  type: 'PurchaseAddOn',
  data: { purchase: randomUUID(), addOn: 'additionalUser', quantity },
});
export const rename = (name: string): KnownCommand & OrganizationCommand => ({
  ...{ type: 'RenameOrganization', data: { name } },
});

/**
 * Founds an organization with this owner and the plan Teams (events #0 to #2), and then executes these commands.
 * Resolves with the organization's id.
 */
export async function organizationOnTeams(
  charter: CommandLine,
  owner: string,
  ...commands: readonly OrganizationCommand[]
): Promise<string> {
  const id = randomUUID();
  const all = [plan('teams'), member(owner, 'owner'), ...commands];
  await record(charter, id, [founding({ name: 'Mill' }), ...all.map((command) => ({ command }))]);
  return id;
}
