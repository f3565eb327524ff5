import { type Facade, runningFacade } from './running';

/** Two façades over one log. One of the façades reports itself as the leader. */
export type Members = Readonly<{
  all: readonly [Facade, Facade];
  hosts: () => string;
  /**
   * Makes this member the leader. The other member then redirects its callers to this member. With `alone`, the other
   * member does not learn about the new leader.
   */
  lead: (leader: 0 | 1, alone?: 'alone') => Promise<void>;
}>;

export async function twoMembers(): Promise<Members> {
  const first = await runningFacade();
  const all = [first, await runningFacade({ over: first })] as const;
  return {
    all,
    hosts: () => all.map(({ port }) => `127.0.0.1:${port}`).join(','),
    lead: async (leader, alone) => {
      const states = all.map(({ port }, index) => ({ port, state: index === leader ? 'leader' : 'follower' }));
      const follower = all[1 - leader]!;
      await all[leader].order('set', { leader: null, members: states });
      if (alone) return;
      await follower.order('set', { leader: all[leader].port, members: states });
      await follower.order('endSubscriptions', 'polite');
    },
  };
}
