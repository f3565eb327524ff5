import { setImmediate as turn } from 'node:timers/promises';
import { oncePerTick } from './once-per-tick';

describe('asking once per turn', () => {
  it('gives everyone in a turn the same answer, and the next turn a new one', async () => {
    let asked = 0;
    const ask = oncePerTick(() => (asked += 1));
    expect([ask(), ask(), await Promise.resolve().then(ask)]).toEqual([1, 1, 1]);
    await turn();
    expect([ask(), ask()]).toEqual([2, 2]);
  });

  it('asks again at once after a question that failed', () => {
    const answers = [1, 2];
    const ask = oncePerTick(() => {
      const answer = answers.pop()!;
      if (answer === 2) throw new Error('busy');
      return answer;
    });
    expect(ask).toThrow('busy');
    expect(ask()).toBe(1);
  });
});
