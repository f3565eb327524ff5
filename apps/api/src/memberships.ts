import { organizationOf, organizationStream } from '@charter/organization';
import { memberTag } from '@charter/organization-view';
import type { Runtime } from './runtime';

export type Membership = Readonly<{ id: string; name: string; role: string }>;
type Looking = Pick<Runtime, 'view' | 'organizations'>;

/** So many of one person's organizations are looked at; `GET /api/v1/organizations` pages through all of them. */
const MEMBERSHIPS_MAX = 100;

/**
 * The organizations of someone, by name. Which ones may trail by the projection's lag, as lists do; whether and as what
 * they are a member of each is asked of its own stream, so nothing that was taken away is shown.
 */
export async function membershipsOf({ view, organizations }: Looking, account: string): Promise<readonly Membership[]> {
  const { rows } = await view.list({ tags: [memberTag(account)], limit: MEMBERSHIPS_MAX });
  const found = await Promise.all(
    rows.map(({ stream }) => membershipIn({ organizations }, organizationOf(stream), account)),
  );
  return found.filter((one) => one !== undefined);
}

/** As an organization's own stream has it; undefined: no member there. */
export const membershipIn = async (
  { organizations }: Pick<Looking, 'organizations'>,
  id: string,
  account: string,
): Promise<Membership | undefined> =>
  organizations.look(organizationStream(id), ({ state }): Membership | undefined => {
    const role = Object.hasOwn(state.members, account) ? state.members[account]!.role : undefined;
    return role && { id, name: state.name, role };
  });

export const isMemberSomewhere = async (looking: Looking, account: string): Promise<boolean> =>
  (await membershipsOf(looking, account)).length > 0;

export const organizationNamesOf = async (looking: Looking, account: string): Promise<readonly string[]> =>
  (await membershipsOf(looking, account)).map(({ name }) => name);

/** Where somebody is the only owner of an organization that is open: it would be without one if they went. */
export async function soleOwnerships(looking: Looking, account: string): Promise<readonly Membership[]> {
  const owned = (await membershipsOf(looking, account)).filter(({ role }) => role === 'owner');
  const alone = await Promise.all(
    owned.map(({ id }) =>
      looking.organizations.look(organizationStream(id), ({ state }) => {
        const owners = Object.values(state.members).filter(({ role }) => role === 'owner');
        return owners.length === 1 && !state.closed;
      }),
    ),
  );
  return owned.filter((_, index) => alone[index]);
}
