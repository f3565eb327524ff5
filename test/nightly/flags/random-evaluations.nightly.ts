import { chanceFrom } from '../../history/files/tampering';
import { askAtRandom, askWithOldTags } from '../../flags/random-evaluations';
import { seed } from '../../projections/seed';
import { type Served, serving } from '../../support/serving';

let served: Served;
beforeAll(async () => void (served = await serving({ environment: { RATE_LIMITS: 'off' } })));
afterAll(() => served.close());

// V1
it('Every answer to 10,000 random evaluations is valid by the protocol, and none is 5xx', async () => {
  const statuses = await askAtRandom(served, 10_000, chanceFrom(seed));
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
});

// V8
it('In 100,000 random pairs, no evaluation is answered with 304 for flags that the client does not have', async () => {
  const statuses = await askWithOldTags(served, 100_000, chanceFrom(seed));
  expect([statuses.has(200), statuses.has(304)]).toEqual([true, true]);
});
