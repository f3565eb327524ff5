import type { Answer } from './http';
import type { Served } from '../serving';

/** A refusal as it must be: 4xx or the statuses named, a whole problem, quickly, and nothing written. */
export const refusedBy =
  (served: () => Served) =>
  async (what: unknown, asked: () => Promise<Answer>, ...statuses: readonly number[]): Promise<Answer> => {
    const { log } = served().charter;
    const before = await log.head();
    const begun = performance.now();
    const answer = await asked();
    const took = performance.now() - begun;
    const isRight = statuses.length > 0 ? statuses.includes(answer.status) : Math.floor(answer.status / 100) === 4;
    expect({ what, status: answer.status, isRight }).toEqual({ what, status: answer.status, isRight: true });
    expectProblem(answer);
    expect(took).toBeLessThan(2_500); // a tenth of it when nothing else runs
    expect([what, await log.head()]).toEqual([what, before]);
    return answer;
  };

/** RFC 9457, with what we promise of it. */
export function expectProblem({ status, headers, body }: Answer): void {
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({ type: expect.stringMatching(/^\/problems\/[a-z-]+$/), status });
  for (const field of ['title', 'detail', 'instance']) expect(body[field]).toEqual(expect.stringMatching(/./));
}

/** For after each hostile request: nobody was polluted, and the next request is fine. */
export async function expectUnharmed(served: Served, key: string): Promise<void> {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  const next = await served.ask('GET', '/api/v1/organizations?limit=1', { key });
  expect([next.status, next.body.organizations.length]).toEqual([200, 1]);
}
