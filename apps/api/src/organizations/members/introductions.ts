import type { Actor } from '@charter/decider';
import { organizationStream } from '@charter/organization';
import type { Charter } from '@charter/application';
import { LRUCache } from 'lru-cache';

/**
 * Records that a member has opened an organization, so that the other members see the name. Never throws: the next
 * request tries again.
 */
export type IntroduceMember = (organization: string, actor: Actor) => Promise<void>;

/**
 * By opening an organization, a member accepts the membership. From then on the other members see the name and address
 * (`decisions.md` 22).
 */
export function createIntroductions({
  database,
  organizations,
}: Pick<Charter, 'database' | 'organizations'>): IntroduceMember {
  const { introductions } = database.people;
  const recent = new LRUCache<string, true>({ max: RECENT_MAX, ttl: RECENT_MS });
  const introduce = async (organization: string, account: string) => {
    const isMember = await organizations.query(organizationStream(organization), ({ state }) =>
      Object.hasOwn(state.members, account),
    );
    if (!isMember || (await introductions.among(organization, [account])).has(account)) return;
    await introductions.add(organization, account);
  };
  return async (organization, { kind, id }) => {
    const pair = `${organization} ${id}`;
    if (kind !== 'account' || recent.has(pair)) return;
    await introduce(organization, id).then(
      () => recent.set(pair, true),
      () => undefined,
    );
  };
}

/**
 * The time limit of a cached introduction, in milliseconds, because another process may remove the member and the
 * introduction.
 */
const RECENT_MS = 60_000;
const RECENT_MAX = 10_000;
