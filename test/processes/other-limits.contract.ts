import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/requests/http';
import { done, founded, path } from '../support/requests/organizations';
import { type Process, served, type Several } from '../support/network/processes';
import { eventsOf } from '../support/serving';

/**
 * Processes on the same stores, and an API key with every scope. The tests send requests to the processes in rotation.
 */
export type Stage = Readonly<{ all: Several; processes: readonly Process[]; key: string }>;

type OneRequest = [method: string, path: string, body?: object];

/**
 * M2: concurrent requests at several processes never exceed the limits of sites, domains and members, even while
 * members are removed.
 */
export function otherLimitsHold(stage: () => Stage): void {
  const concurrently = (count: number, of: (index: number) => OneRequest) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        const { processes, key } = stage();
        const [method, at, body] = of(index);
        return processes[index % processes.length]!.ask(method, at, { key, body });
      }),
    );
  const streamOf = (id: string) => eventsOf(stage().all, `organization-${id}`);

  /** Founds an organization without members, and sends these requests about it. */
  const foundedWith = async (...steps: readonly OneRequest[]) => {
    const { all, processes, key } = stage();
    const one = served(all, processes[0]!);
    const id = await founded(one, { by: key });
    await done(one, key, id, ...steps);
    return id;
  };

  /**
   * Checks that exactly as many requests succeed as the limit allows, and that every refusal names the limit and the
   * use.
   */
  const expectFilled = async (
    id: string,
    answers: readonly Answer[],
    { limit, type, allowed, hard = null }: Filled,
  ) => {
    const by = (status: number) => answers.filter((answer) => answer.status === status);
    expect([by(201).length, by(409).length]).toEqual([allowed, answers.length - allowed]);
    const refused = {
      type: '/problems/limit-exceeded',
      limit,
      allowed,
      used: allowed,
      requested: 1,
      hard: hard ?? null,
    };
    for (const { body } of by(409)) expect(body).toMatchObject(refused);
    expect((await streamOf(id)).filter((event) => event.type === type)).toHaveLength(allowed);
  };

  it('30 concurrent requests add exactly 3 sites if the limit is 3', async () => {
    const id = await foundedWith(['PUT', '/limits', { contentSections: 3 }]);
    const answers = await concurrently(30, (index) => ['POST', path(id, '/sites'), { hostname: `s${index}.example` }]);
    await expectFilled(id, answers, { limit: 'contentSections', type: 'SiteAdded', allowed: 3 });
  });

  it('30 concurrent requests add exactly as many quality-assurance domains as the add-ons include', async () => {
    const id = await foundedWith(
      ['PUT', '/plan', { line: 'second', plan: 'teams' }],
      ['POST', '/add-ons', { addOn: 'qualityAssurance', quantity: 4 }],
    );
    const at = path(id, '/quality-assurance/domains');
    const answers = await concurrently(30, (index) => ['POST', at, { hostname: `q${index}.example` }]);
    const filled = { limit: 'qualityAssuranceDomains', type: 'QualityAssuranceDomainAdded', allowed: 4 };
    await expectFilled(id, answers, filled);
  });

  it('30 concurrent requests add exactly as many members as the hard limit of the plan allows', async () => {
    const id = await foundedWith(
      ['PUT', '/plan', { line: 'second', plan: 'solo' }],
      ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
    );
    const answers = await concurrently(30, () => ['POST', path(id, '/members'), newMember()]);
    await expectFilled(id, answers, { limit: 'users', type: 'MemberAdded', allowed: 2, hard: 2 });
  });

  it('60 concurrent requests never exceed the limit of members, while other members are removed', async () => {
    const id = await foundedWith(['PUT', '/limits', { users: 9 }]);
    const members = path(id, '/members');
    const first = await concurrently(9, () => ['POST', members, newMember()]);
    const [removed, added] = await Promise.all([
      concurrently(9, (index) => ['DELETE', `${members}/${first[index]!.body.id as string}`]),
      concurrently(60, () => ['POST', members, newMember()]),
    ]);
    expect(removed.filter(({ status }) => status !== 200)).toEqual([]);
    expect(added.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    let [used, most] = [0, 0];
    for (const { type } of await streamOf(id)) {
      used += type === 'MemberAdded' ? 1 : type === 'MemberRemoved' ? -1 : 0;
      most = Math.max(most, used);
    }
    expect([used, most]).toEqual([added.filter(({ status }) => status === 201).length, 9]);
  });
}

type Filled = Readonly<{ limit: string; type: string; allowed: number; hard?: number | null }>;
const newMember = () => ({ user: randomUUID(), role: 'member' });
