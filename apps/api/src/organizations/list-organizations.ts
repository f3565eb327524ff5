import type { Actor } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import { accountMembershipIn, type Charter } from '@charter/application';
import { sortText } from '@charter/database';
import { hasAnyRole, notAllowed, organizationIdOf, organizationStream, readers } from '@charter/organization';
import { memberTag, organizationView, planTag } from '@charter/organization-view';
import type { z } from 'zod';
import type { Caller } from '../http/authentication/caller';
import type { OrganizationAccess } from '../process/parts/organization-access';
import type { ListedOrganization, OrganizationPage } from './organization.answers';
import { organizationCursor, type OrganizationsQuery } from './organization.requests';

export type OrganizationRows = Awaited<ReturnType<Charter['view']['list']>>;
type ListParts = Pick<Charter, 'view' | 'organizations'> & Pick<OrganizationAccess, 'reading'>;

/**
 * Lists the organizations that a caller may see, sorted by name.
 * @throws Refused 403; ProblemError 503
 */
export async function listOrganizations(
  parts: ListParts,
  { q, plan, cursor, limit }: z.infer<typeof OrganizationsQuery>,
  { actor, only }: Caller,
): Promise<OrganizationRows> {
  parts.reading.mustBeTrusted();
  const tags = plan === undefined ? [] : [planTag(plan)];
  if (only !== undefined) return listOnly(parts, actor, only, q, tags);
  if (hasAnyRole(readers, actor.powers)) return parts.view.list({ q, tags, after: cursor, limit });
  if (actor.kind !== 'account') throw new Refused(notAllowed(readers));
  const { rows, next } = await parts.view.list({ q, tags: [...tags, memberTag(actor.id)], after: cursor, limit });
  return { rows: await stillTheirs(parts, rows, actor), next };
}

/**
 * Removes organizations of which the account is no longer a member. The list may lag, so the memberships come from the
 * organizations' streams (`acceptance.md` H6). If a stream has an unreadable event, only the events before it count,
 * so one such stream does not make the list fail.
 */
async function stillTheirs<Row extends Readonly<{ stream: string }>>(
  { organizations }: ListParts,
  rows: readonly Row[],
  { id }: Actor,
) {
  const found = await Promise.all(rows.map(({ stream }) => accountMembershipIn({ organizations }, stream, id)));
  return rows.filter((_, index) => found[index]?.membership);
}

/**
 * The list for an API key or session that is bound to one organization. The list contains at most the bound
 * organization.
 */
async function listOnly(
  parts: ListParts,
  actor: Actor,
  id: string,
  q = '',
  tags: readonly string[],
): Promise<OrganizationRows> {
  const stream = organizationStream(id);
  if (actor.kind === 'account') {
    const theirs = await stillTheirs(parts, [{ stream }], actor);
    if (theirs.length === 0) return { rows: [], next: undefined };
  } else if (!hasAnyRole(readers, actor.powers)) throw new Refused(notAllowed(readers));
  const document = await parts.view.get(stream);
  const row = document && organizationView.row(document);
  const fits = row && sortText(row.name).includes(sortText(q)) && tags.every((tag) => row.tags.includes(tag));
  return {
    rows: fits ? [{ stream, name: row.name, columns: row.columns, revision: document.revision }] : [],
    next: undefined,
  };
}

/** The list in the shape that `api.md` defines. */
export const printedList = ({ rows, next }: OrganizationRows): z.infer<typeof OrganizationPage> => ({
  organizations: rows.map(({ stream, name, columns, revision }) => ({
    id: organizationIdOf(stream),
    name,
    ...(columns as Pick<ListedOrganization, 'plans'>), // `organizationView` writes the columns in this form
    revision,
  })),
  next: organizationCursor(next),
});
