import { setImmediate as turn } from 'node:timers/promises';
import { oncePerTick } from './once-per-tick';

describe('Once per tick', () => {
  it('gives all callers of a tick the same answer, and callers of the next tick a new answer', async () => {
    let queries = 0;
    const ask = oncePerTick(() => (queries += 1));
    expect([ask(), ask(), await Promise.resolve().then(ask)]).toEqual([1, 1, 1]);
    await turn();
    expect([ask(), ask()]).toEqual([2, 2]);
  });

  it('repeats a failed query at the next call', () => {
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
