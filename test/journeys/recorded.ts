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

/** Noon (UTC) of a day such as `2026-05-02`. */
export const noonOf = (day: string): string => `${day}T12:00:00.000Z`;

/** The events #0 to #12 of an organization, which gets its owner with event #3 and another name with event #9. */
export const historyOfQuay = (owner: OrganizationCommand): readonly Recorded[] => [
  founding({ name: 'Quay', at: noonOf('2025-03-04') }),
  { command: plan('teams'), at: noonOf('2025-03-05') }, // event #1
  { command: moreUsers(5), at: noonOf('2025-03-06') },
  { command: [owner, member(), member()], at: noonOf('2025-04-01') }, // events #3 to #5
  { command: site('quay.example'), at: noonOf('2025-05-01') }, // event #6
  { command: [member(), member()], at: '2026-05-02T21:32:59.000Z' }, // events #7 and #8
  { command: rename('New Quay'), at: '2026-05-02T21:33:01.000Z' }, // event #9
  { command: [member(), member(), member()], at: noonOf('2026-06-01') }, // events #10 to #12
];

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
