import { commitSignal } from './commit-signal';

/** Counts the polls while a subscription waits, and lets a spec commit as another process. */
function watched() {
  let version = 0;
  let polls = 0;
  const signal = commitSignal(() => {
    polls += 1;
    return version;
  });
  const pollsDuring = (milliseconds: number) => {
    const before = polls;
    jest.advanceTimersByTime(milliseconds);
    return polls - before;
  };
  return { signal, pollsDuring, commit: () => (version += 1) };
}

describe('Commit signal', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('polls 20 times a second after a commit, and 5 times a second after two seconds without a commit', () => {
    const { signal, pollsDuring, commit } = watched();
    const wait = () => signal.onNext(wait);
    wait();
    pollsDuring(10_000);
    expect(pollsDuring(1_000)).toBe(5);
    commit();
    pollsDuring(200);
    expect(pollsDuring(1_000)).toBe(20);
    pollsDuring(2_000);
    expect(pollsDuring(1_000)).toBe(5);
    signal.now();
    pollsDuring(200);
    expect(pollsDuring(1_000)).toBe(20);
  });

  it('notifies each waiting subscription once, at most 200 ms after a commit of another process', () => {
    const { signal, pollsDuring, commit } = watched();
    const [first, second] = [jest.fn(), jest.fn()];
    signal.onNext(() => undefined);
    pollsDuring(10_000);
    signal.onNext(first);
    signal.onNext(second);
    pollsDuring(200);
    commit();
    pollsDuring(200);
    commit();
    pollsDuring(200);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('polls only while a subscription waits', () => {
    const { signal, pollsDuring } = watched();
    expect(pollsDuring(1_000)).toBe(0);
    const cancel = signal.onNext(() => undefined);
    pollsDuring(1_000);
    cancel();
    pollsDuring(200);
    expect(pollsDuring(1_000)).toBe(0);
  });
});
