import { chanceFrom } from '../history/files/tampering';
import { seed } from '../projections/seed';
import { type Served, serving } from '../support/serving';
import { askAtRandom, askWithOldTags } from './random-evaluations';

let served: Served;
beforeAll(async () => void (served = await serving({ environment: { RATE_LIMITS: 'off' } })));
afterAll(() => served.close());

// V1
it('Every answer to 600 random evaluations is valid by the protocol, and none is 5xx', async () => {
  const statuses = await askAtRandom(served, 600, chanceFrom(seed));
  for (const status of [200, 400, 401, 403, 404, 415]) expect([status, statuses.has(status)]).toEqual([status, true]);
});

// V8
it('In 400 random pairs, no evaluation is answered with 304 for flags that the client does not have', async () => {
  const statuses = await askWithOldTags(served, 400, chanceFrom(seed));
  expect([statuses.has(200), statuses.has(304)]).toEqual([true, true]);
});
