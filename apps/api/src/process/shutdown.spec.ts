import { inTime } from '../../../../test/support/in-time';
import { shutDownInOrder } from './shutdown';

describe('Shutdown', () => {
  it('logs a step that fails or is too slow, continues with the next step, and ends in time', async () => {
    const done: string[] = [];
    const said: unknown[] = [];
    const steps = [
      { what: 'first', do: () => void done.push('first') },
      { what: 'broken', do: () => Promise.reject(new Error('the store is away')) },
      { what: 'for ever', do: () => new Promise(() => undefined) },
      { what: 'last', do: () => void done.push('last') },
    ];
    const logger = { warn: (entry: object) => void said.push(entry) };
    await inTime(1_000, shutDownInOrder(steps, performance.now() + 100, logger));
    expect(done).toEqual(['first', 'last']);
    expect(said).toEqual([
      { what: 'broken', why: 'Error: the store is away' },
      { what: 'for ever', why: 'it takes too long' },
    ]);
  });
});
