import { randomInt } from 'node:crypto';
import { begunLife } from '../../crash/life';
import { startedAndKilled } from '../../crash/server';
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
    try {
      const usual = Math.ceil(life.server().readyAfter);
      await life.die();
      const wereReady: boolean[] = [];
      while (wereReady.length < 20) wereReady.push(await startedAndKilled(life.charter, randomInt(50, usual)));
      expect(wereReady.filter((wasReady) => !wasReady).length).toBeGreaterThanOrEqual(10);
      await life.rise();
      await life.reconcile();
      await life.settle();
    } finally {
      await life.end();
    }
  });
});
