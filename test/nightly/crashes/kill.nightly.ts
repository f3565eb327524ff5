import { randomInt } from 'node:crypto';
import { begunLife } from '../../crash/life';
import { expectEqualReadModel, expectWhole } from '../../crash/oracle';
import { started, startedAndKilled } from '../../crash/server';
import { times } from '../length';

/**
 * The number of kills in one test. The next test uses a new store, because each check reads the whole event log, which
 * becomes longer with each kill.
 */
const ENDS = 10;

/**
 * The number of commands that the server acknowledges before each kill. The short run (without LONG=1) needs fewer
 * commands, because other work runs on the machine.
 */
const LOAD = times(5, 50);

describe('N1: A server that is killed under load', () => {
  it.each(Array.from({ length: times(10, 500) / ENDS }, (_, index) => index + 1))(
    `${ENDS} times on the same stores (round %i) loses no acknowledged command and executes none twice`,
    async () => {
      const life = await begunLife();
      try {
        for (let end = 1; end <= ENDS; end += 1) await life.dieAndRise();
        await life.settle();
        expect(life.operations.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(ENDS * LOAD);
      } finally {
        await life.end();
      }
    },
  );
});

describe('N5: A server that is killed while it recovers', () => {
  it('20 times in a row starts again without damage', async () => {
    const life = await begunLife();
    await life.dieAndRise();
    await life.stop();
    for (let end = 1; end <= 20; end += 1) await startedAndKilled(life.charter, randomInt(50, 2_000));
    const server = await started(life.charter);
    expect(server.readyAfter).toBeLessThan(10_000);
    await expectWhole(life.charter, life.operations);
    await expectEqualReadModel(life.charter, 'complete');
    await server.kill();
    life.charter.remove();
  });
});
