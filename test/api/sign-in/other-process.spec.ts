import { randomUUID } from 'node:crypto';
import { openDatabase } from '@charter/database';
import { initial, limitOf, evolve, type OrganizationEvent } from '@charter/organization';
import { fold } from '@charter/decider';
import { recordedEvent } from '@charter/event-log';
import fc from 'fast-check';
import { times } from '../../nightly/length';
import { seed } from '../../projections/seed';
import { done, founded, path } from '../../support/requests/organizations';
import { keyId, paused, resumed, type Served, serving } from '../../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving();
});
afterAll(() => served.close());

describe('J4, H5: API key that another process revokes', () => {
  it.each(['GET', 'POST'])(
    'is refused at once, even while the projection is paused (%s, on the fast path)',
    async (method) => {
      const key = await served.key();
      const id = await founded(served, { by: key });
      const ask = () =>
        method === 'GET'
          ? served.ask('GET', path(id, '/entitlements/users'), { key })
          : served.ask('POST', path(id, '/members'), { key, body: { user: randomUUID(), role: 'member' } });
      expect((await ask()).status).toBeLessThan(300);
      expect((await ask()).status).toBeLessThan(300); // the process has cached the key now

      await paused(served);
      const { documents: file, documentsServer: server } = served.charter.settings;
      const beside = await openDatabase(server ? { server } : { file });
      expect(await beside.keys.revoke(await keyId(served, key), Date.now())).toBe(true);
      await beside.close();
      expect((await ask()).status).toBe(401);
      await resumed(served);
    },
  );
});

describe('M6: Plans that change while members are added', () => {
  it("never let an addition exceed the organization's limit", async () => {
    const key = await served.key();
    const plan = fc.constantFrom('solo', 'teams', 'light', 'enterprise');
    const schedule = fc.array(
      fc.oneof({ weight: 3, arbitrary: fc.constant('member') }, { weight: 1, arbitrary: plan }),
      {
        minLength: 20,
        maxLength: 40,
      },
    );
    const property = fc.asyncProperty(schedule, async (steps) => {
      const id = await founded(served, { by: key });
      await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
      await Promise.all(
        steps.map((step) =>
          step === 'member'
            ? served.ask('POST', path(id, '/members'), { key, body: { user: randomUUID(), role: 'member' } })
            : served.ask('PUT', path(id, '/plan'), { key, body: { line: 'second', plan: step } }),
        ),
      );
      expect(await additionsOver(id)).toEqual([]);
    });
    await fc.assert(property, { numRuns: times(20, 1_000), seed });
  });
});

/** The revisions at which a member was added although no seat was free. */
async function additionsOver(id: string): Promise<number[]> {
  const over: number[] = [];
  let folded = { state: initial(), revision: -1, at: '' };
  for await (const stored of served.charter.log.readStream(`organization-${id}`)) {
    const event = recordedEvent<OrganizationEvent>({}, stored);
    folded = fold({ initial, evolve }, [event], folded);
    const { used, effective } = limitOf('users', folded.state, folded.at);
    if (event.type === 'MemberAdded' && used > effective) over.push(folded.revision);
  }
  return over;
}
