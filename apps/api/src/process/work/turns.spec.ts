import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from './turns';

it('Turns resolve one after the other, each in its own iteration of the event loop', async () => {
  const turn = createTurns();
  const resolved: string[] = [];
  for (const name of ['a', 'b', 'c']) void turn().then(() => resolved.push(name));
  const seen = new Set<string>();
  while (resolved.length < 3) {
    await nextTurn();
    seen.add(resolved.join(''));
  }
  expect([...seen].filter((names) => names !== '')).toEqual(['a', 'ab', 'abc']);
});
