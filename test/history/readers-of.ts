import { done, founded, path } from '../support/requests/organizations';
import type { Served } from '../support/serving';
import { accountEventsOf, person, signedIn } from '../support/sign-in/people';

/** The request of a reader: a method, a path below the organization, and a body. */
type ReadRequest = readonly [method: 'GET' | 'POST', route: string, body?: object];

/**
 * Sends a request as an owner, a plain member, an auditor and a stranger. Expects that only the owner and the auditor
 * may read, and that Charter records the auditor's read.
 */
export async function expectReaders(served: Served, key: string, [method, route, body]: ReadRequest): Promise<void> {
  const [owner, member, auditor, stranger] = [
    await person(served),
    await person(served),
    await person(served, { role: 'auditor' }),
    await person(served),
  ];
  const id = await founded(served, { by: key, owner: owner.id });
  await done(served, key, id, ['POST', '/members', { user: member.id, role: 'member' }]);
  const statuses = [];
  for (const reader of [owner, member, auditor, stranger])
    statuses.push((await (await signedIn(served, reader)).send(method, path(id, route), body)).status);
  expect(statuses).toEqual([200, 403, 200, 404]);
  const reads = (await accountEventsOf(served, auditor)).filter(({ type }) => type === 'HistoryRead');
  expect(reads.map(({ data }) => data)).toEqual([{ organization: id }]);
}
