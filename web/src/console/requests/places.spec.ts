import { createPlaces } from './places';

/** Tasks that the spec ends one by one, and a list with the numbers of the tasks that have begun. */
function tasks() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const task = (number: number) => () =>
    new Promise<number>((resolve) => {
      begun.push(number);
      ends[number] = () => resolve(number);
    });
  return { begun, task, end: (number: number) => ends[number]!() };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));
const { signal } = new AbortController();

describe('A limit of simultaneous tasks', () => {
  it('with the value 2 runs two tasks at a time, and starts the waiting tasks in order', async () => {
    const [places, { begun, task, end }] = [createPlaces(2), tasks()];
    const all = [0, 1, 2, 3].map((number) => places(signal, task(number)));
    await settled();
    expect(begun).toEqual([0, 1]);
    end(1);
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    for (const number of [0, 2]) end(number);
    await settled();
    end(3);
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
  });

  it('starts the next task even if the previous task has failed', async () => {
    const places = createPlaces(1);
    const failing = () => Promise.reject(new Error('offline'));
    await expect(places(signal, failing)).rejects.toThrow('offline');
    expect(await places(signal, () => Promise.resolve('answer'))).toBe('answer');
  });

  it('never starts a task whose signal has aborted while the task waited', async () => {
    const [places, { begun, task, end }] = [createPlaces(1), tasks()];
    const first = places(signal, task(0));
    const leaving = new AbortController();
    const second = places(leaving.signal, task(1));
    const third = places(signal, task(2));
    leaving.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    await expect(places(leaving.signal, task(3))).rejects.toThrow('left');
    end(0);
    await first;
    await settled();
    end(2);
    expect(await third).toBe(2);
    expect(begun).toEqual([0, 2]);
  });
});
