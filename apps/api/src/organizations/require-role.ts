import { Refused } from '@charter/aggregates';
import { type Actor, refuse } from '@charter/decider';
import {
  actorRolesOf,
  auditors,
  hasAnyRole,
  noSuchOrganization,
  notAllowed,
  notFoundedYet,
  organizationStream,
  readers,
} from '@charter/organization';
import type { Charter } from '@charter/application';

/**
 * Requires that the organization's stream gives the caller one of the roles. The role does not come from the read
 * model, which may lag: a permission must be current.
 */
export async function requireRole(
  { organizations }: Pick<Charter, 'organizations'>,
  id: string,
  actor: Actor,
  allowed: readonly string[],
  deadline?: number,
): Promise<void> {
  if (hasAnyRole(allowed, actor.powers)) return;
  const standing =
    actor.kind === 'account'
      ? await organizations.query(
          organizationStream(id),
          ({ state }) => (state.name ? actorRolesOf(actor, state) : []),
          deadline,
        )
      : actor.powers;
  if (hasAnyRole(allowed, standing)) return;
  if (standing.length === 0) throw new Refused(noSuchOrganization);
  throw new Refused(allowed === readers && hasAnyRole(auditors, standing) ? pastOnly : notAllowed(allowed));
}

/** The refusal of a query about the present, if the caller may query only the past. */
const pastOnly = refuse(
  'not-allowed',
  `${notAllowed(readers).detail} With the scope audit:read, send asOf or valid if the route accepts them, for example the current moment.`,
  notAllowed(readers).facts,
);

/**
 * Whether the process knows, without a read of the log, that the caller has one of the roles now. If false, the caller
 * may still have a role: `requireRole` decides.
 */
export function hasCurrentRole(
  { organizations }: Pick<Charter, 'organizations'>,
  id: string,
  actor: Actor,
  allowed: readonly string[],
  logVersion: unknown,
): boolean {
  if (hasAnyRole(allowed, actor.powers)) return true;
  if (actor.kind !== 'account') return false;
  const state = organizations.current(organizationStream(id), logVersion)?.state;
  return Boolean(state?.name) && hasAnyRole(allowed, actorRolesOf(actor, state!));
}

/**
 * The refusal of a query about a moment at which the organization did not exist. If the organization exists now, the
 * refusal says when it was founded. Call this function only after `requireRole`, because the refusal may reveal the
 * moment of the founding.
 */
export const absenceOf = async ({ organizations }: Pick<Charter, 'organizations'>, id: string): Promise<Refused> =>
  new Refused(
    await organizations.query(organizationStream(id), ({ state }) =>
      state.name === '' ? noSuchOrganization : notFoundedYet(state),
    ),
  );
