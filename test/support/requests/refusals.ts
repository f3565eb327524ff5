import type { Answer } from './http';
import type { Served } from '../serving';

/**
 * Checks a refusal: the status is one of `statuses`, by default any 4xx. The problem document is complete, the answer
 * comes quickly, and no event is written.
 */
export const refusedBy =
  (served: () => Served) =>
  async (what: unknown, request: () => Promise<Answer>, ...statuses: readonly number[]): Promise<Answer> => {
    const { log } = served().charter;
    const before = await log.head();
    const begun = performance.now();
    const answer = await request();
    const took = performance.now() - begun;
    const isRight = statuses.length > 0 ? statuses.includes(answer.status) : Math.floor(answer.status / 100) === 4;
    expect({ what, status: answer.status, isRight }).toEqual({ what, status: answer.status, isRight: true });
    expectProblem(answer);
    expect(took).toBeLessThan(2_500); // an answer on an idle machine takes a tenth of this time
    expect([what, await log.head()]).toEqual([what, before]);
    return answer;
  };

/** Checks that the answer is a problem document (RFC 9457) with every field that the API promises. */
export function expectProblem({ status, headers, body }: Answer): void {
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({ type: expect.stringMatching(/^\/problems\/[a-z-]+$/), status });
  for (const field of ['title', 'detail', 'instance']) expect(body[field]).toEqual(expect.stringMatching(/./));
}

/** After a hostile request: checks that no prototype is polluted and that the next request succeeds. */
export async function expectUnharmed(served: Served, key: string): Promise<void> {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  const next = await served.ask('GET', '/api/v1/organizations?limit=1', { key });
  expect([next.status, next.body.organizations.length]).toEqual([200, 1]);
}
