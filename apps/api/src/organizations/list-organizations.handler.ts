import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Actor, refuse } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { actorRolesOf, hasAnyRole, organizationStream, readers } from '@charter/organization';
import { memberTag, organizationView, planTag } from '@charter/organization-view';
import type { z } from 'zod';
import type { Caller } from '../http/authentication/caller';
import type { OrganizationsQuery } from './organization.requests';
import { STORES } from '../process/parts/stores';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';

type ListPage = Awaited<ReturnType<Charter['view']['list']>>;

/** Lists the organizations that a caller may see, sorted by name. */
export class ListOrganizations extends Query<ListPage> {
  constructor(
    readonly query: z.infer<typeof OrganizationsQuery>,
    readonly caller: Caller,
  ) {
    super();
  }
}

@QueryHandler(ListOrganizations)
export class ListOrganizationsHandler implements IQueryHandler<ListOrganizations> {
  private readonly runtime: Pick<Charter, 'view' | 'organizations'> & Pick<OrganizationAccess, 'reading'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess) {
    this.runtime = { ...stores, ...access };
  }

  async execute({ query: { q, plan, cursor, limit }, caller }: ListOrganizations): Promise<ListPage> {
    this.runtime.reading.mustBeTrusted();
    const { actor, only } = caller;
    const tags = plan === undefined ? [] : [planTag(plan)];
    if (only !== undefined) return this.listOnly(actor, only, q, tags);
    if (hasAnyRole(readers, actor.powers)) return this.runtime.view.list({ q, tags, after: cursor, limit });
    if (actor.kind !== 'account') throw notAllowed();
    const { rows, next } = await this.runtime.view.list({
      q,
      tags: [...tags, memberTag(actor.id)],
      after: cursor,
      limit,
    });
    return { rows: await this.stillTheirs(rows, actor), next };
  }

  /**
   * Removes organizations in which the caller no longer has a role. The list may lag, so the roles come from the
   * organizations' streams (`acceptance.md` H6).
   */
  private async stillTheirs<Row extends Readonly<{ stream: string }>>(rows: readonly Row[], actor: Actor) {
    const { organizations } = this.runtime;
    const theirs = await Promise.all(
      rows.map(({ stream }) =>
        organizations.query(stream, ({ state }) => hasAnyRole(readers, actorRolesOf(actor, state))),
      ),
    );
    return rows.filter((_, index) => theirs[index]);
  }

  /**
   * The list for an API key or session that is bound to one organization. The list contains at most the bound
   * organization.
   */
  private async listOnly(actor: Actor, id: string, q = '', tags: readonly string[]): Promise<ListPage> {
    const stream = organizationStream(id);
    if (actor.kind === 'account') {
      const theirs = await this.stillTheirs([{ stream }], actor);
      if (theirs.length === 0) return { rows: [], next: undefined };
    } else if (!hasAnyRole(readers, actor.powers)) throw notAllowed();
    const document = await this.runtime.view.get(stream);
    const row = document && organizationView.row(document);
    const fits = row && row.name.toLowerCase().includes(q.toLowerCase()) && tags.every((tag) => row.tags.includes(tag));
    return {
      rows: fits ? [{ stream, name: row.name, columns: row.columns, revision: document.revision }] : [],
      next: undefined,
    };
  }
}

const notAllowed = () =>
  new Refused(refuse('not-allowed', `The caller needs one of these roles or scopes: ${readers.join(', ')}.`));
