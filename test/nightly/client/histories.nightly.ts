import { defaultIntervals } from '../../../libs/client/src/connection';
import { clientOf, organizationOnSolo } from '../../client/charter-client';
import { expectEqualAfterStep } from '../../client/random-steps';
import { chanceFrom } from '../../history/files/tampering';
import { seed } from '../../projections/seed';
import { type Served, serving, until } from '../../support/serving';
import { times } from '../length';

/** The number of steps in each history, and the number of concurrent histories. */
const [STEPS, CONCURRENT] = [8, 8];

let served: Served;
beforeAll(async () => void (served = await serving({ environment: { RATE_LIMITS: 'off' } })));
afterAll(() => served.close());

it('SD10: In random histories, a client has the values of the entitlements after each event', async () => {
  const key = await served.key();
  const charter = clientOf({ url: served.url, key, intervals: defaultIntervals });
  const count = times(100, 1_000);
  let begun = 0;
  const histories = async () => {
    while (begun < count) {
      const chance = chanceFrom(seed + (begun += 1));
      const organization = charter.organization(await organizationOnSolo(served, key));
      await organization.ready();
      await until(() => organization.freshness.state === 'fresh', 20_000);
      for (let step = 0; step < STEPS; step += 1) await expectEqualAfterStep(served, key, organization, chance);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, histories));
});
