import { Refused, UnreadableStream } from '@charter/aggregates';
import type { Actor } from '@charter/decider';
import { lastEventOf, type StoredEvent } from '@charter/event-log';
import {
  actorRolesOf,
  auditors,
  hasAnyRole,
  noSuchOrganization,
  notAllowed,
  organizationIdOf,
  organizationStream,
} from '@charter/organization';
import { accountMembershipsOf, type Charter, isMemberAdded } from '@charter/application';
import { actorIn } from '../../http/authentication/caller';
import type { RequestWithContext } from '../../http/request-context';
import { requireRole } from '../../organizations/require-role';
import type { Authentication } from '../../process/parts/authentication';

/**
 * Decides from the current roles which organizations' changes a caller may see. A feed decides about visibility for
 * each event.
 */
export type EventVisibility = Readonly<{
  /** The caller with the powers that `renew` found last. */
  actor: () => Actor;
  /**
   * The organizations whose changes the caller may see. Undefined if a platform role, or an API key that is not bound
   * to an organization, lets the caller see the changes of all organizations.
   */
  organizations: readonly string[] | undefined;
  /** Whether the caller may see this event now. */
  sees: (event: StoredEvent) => Promise<boolean>;
  /**
   * Authenticates the caller once more.
   * @throws ProblemError 401; Refused 403 or UnreadableStream if the caller may no longer see any organization
   */
  renew: () => Promise<void>;
}>;

/** The number of milliseconds for which a permission is cached. */
const CACHED_MS = 400;

/**
 * Whether the caller may see an organization's events. If Charter cannot read the organization's stream, the members'
 * roles are unknown, so the members do not see the events.
 */
type Permission = Readonly<{ may: boolean; unreadable?: UnreadableStream; at: number }>;

/**
 * @param allowed the roles that may see an organization's changes
 * @throws ProblemError 401, Refused 403; UnreadableStream if no organization of the caller is readable
 */
export async function eventVisibilityOf(
  runtime: Pick<Charter, 'log' | 'view' | 'organizations'> & Pick<Authentication, 'callers'>,
  request: RequestWithContext,
  allowed: readonly string[] = auditors,
): Promise<EventVisibility> {
  const { organizations, callers } = runtime;
  const { actor: firstActor } = request.charter.caller;
  let { caller } = request.charter;
  /**
   * The streams of organizations in which the caller was a member when the feed began, or became a member later.
   * `permissionIn` reads the current role.
   */
  const theirs = new Set<string>();
  const permissions = new Map<string, Permission>();
  const seesAll = () => hasAnyRole(allowed, caller.actor.powers);

  const permissionIn = async (stream: string): Promise<Permission> => {
    const known = permissions.get(stream);
    if (known && performance.now() - known.at < CACHED_MS) return known;
    const actor = actorIn(caller, organizationIdOf(stream));
    const answer = await organizations
      .query(stream, ({ state }) => ({ may: hasAnyRole(allowed, actorRolesOf(actor, state)) }))
      .catch((error: unknown) => {
        if (error instanceof UnreadableStream) return { may: false, unreadable: error };
        throw error;
      });
    const permission = { ...answer, at: performance.now() };
    permissions.set(stream, permission);
    return permission;
  };
  const mayIn = async (stream: string) => (await permissionIn(stream)).may;
  const mustSeeSomething = async () => {
    if (seesAll()) return;
    let flaw: UnreadableStream | undefined;
    for (const stream of theirs) {
      const { may, unreadable } = await permissionIn(stream);
      if (may) return;
      flaw ??= unreadable;
    }
    throw flaw ?? new Refused(notAllowed(allowed));
  };

  if (!seesAll() && firstActor.kind === 'account') {
    const belongings =
      caller.only === undefined ? await accountMembershipsOf(runtime, firstActor.id) : [{ id: caller.only }];
    for (const { id } of belongings) theirs.add(organizationStream(id));
  }
  await mustSeeSomething();
  const audited: string[] = [];
  for (const stream of theirs) if (await mayIn(stream)) audited.push(organizationIdOf(stream));

  return {
    actor: () => caller.actor,
    organizations: caller.only !== undefined ? [caller.only] : seesAll() ? undefined : audited,
    sees: async (event) => {
      const { stream } = event;
      if (caller.only !== undefined && stream !== organizationStream(caller.only)) return false;
      if (seesAll()) return true;
      // the event may add the caller to this organization
      if (!theirs.has(stream) && isMemberAdded(event, firstActor.id)) theirs.add(stream);
      return theirs.has(stream) && mayIn(stream);
    },
    renew: async () => {
      caller = await callers.identify(request);
      await mustSeeSomething();
    },
  };
}

/**
 * Decides whether a caller may see one organization's changes.
 * @throws Refused 404 or 403 if the caller may not audit the organization
 */
export async function organizationVisibilityOf(
  runtime: Pick<Charter, 'log' | 'organizations'> & Pick<Authentication, 'callers'>,
  request: RequestWithContext,
  id: string,
): Promise<EventVisibility> {
  let { caller } = request.charter;
  let checked = -Infinity;
  const mustAudit = async () => {
    await requireRole(runtime, id, actorIn(caller, id), auditors);
    checked = performance.now();
  };
  await mustAudit();
  // this check does not fold the stream, so people with a platform role can also follow an unreadable stream
  if (!(await lastEventOf(runtime.log, organizationStream(id)))) throw new Refused(noSuchOrganization);
  const isForPlatform = caller.only === undefined && hasAnyRole(auditors, caller.actor.powers);
  return {
    actor: () => caller.actor,
    organizations: isForPlatform ? undefined : [id],
    sees: async () => {
      if (performance.now() - checked >= CACHED_MS) await mustAudit();
      return true;
    },
    renew: async () => {
      caller = await runtime.callers.identify(request);
      await mustAudit();
    },
  };
}
