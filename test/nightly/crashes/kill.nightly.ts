import { randomInt } from 'node:crypto';
import { begunLife } from '../../crash/life';
import { expectEqualReadModel, expectWhole } from '../../crash/oracle';
import { started, startedAndKilled } from '../../crash/server';
import { times } from '../length';

/** So many ends in one life; then a new store, for every check reads all of it. */
const ENDS = 10;

/** Acknowledged in the time until each end, so that there was a load; the short run goes beside other work. */
const LOAD = times(5, 50);

describe('N1: a server that is killed under load', () => {
  it.each(Array.from({ length: times(10, 500) / ENDS }, (_, index) => index + 1))(
    `life %i: ${ENDS} times, and nothing that was acknowledged is lost or doubled`,
    async () => {
      const life = await begunLife();
      try {
        for (let end = 1; end <= ENDS; end += 1) await life.dieAndRise();
        await life.settle();
        expect(life.deeds.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(ENDS * LOAD);
      } finally {
        await life.end();
      }
    },
  );
});

describe('N5: a server that is killed while it recovers', () => {
  it('20 times in a row, starts clean after it', async () => {
    const life = await begunLife();
    await life.dieAndRise();
    await life.stop();
    for (let end = 1; end <= 20; end += 1) await startedAndKilled(life.charter, randomInt(50, 2_000));
    const server = await started(life.charter);
    expect(server.readyAfter).toBeLessThan(10_000);
    await expectWhole(life.charter, life.deeds);
    await expectEqualReadModel(life.charter, 'complete');
    await server.kill();
    life.charter.remove();
  });
});
