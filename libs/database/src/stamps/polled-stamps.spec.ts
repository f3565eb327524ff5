import { polledStamps, type Stamps } from './polled-stamps';

const held = () => {
  const sent: { answer: (value: string) => void; fail: (why: Error) => void }[] = [];
  const stamps = polledStamps(
    () =>
      new Promise<Stamps>((resolve, reject) => {
        sent.push({ answer: (value) => resolve(new Map([['keys', value]])), fail: reject });
      }),
  );
  return { sent, ...stamps };
};
/** Waits until a query has started that waits for the end of the tick. */
const nextTick = async () => {
  for (let ticks = 0; ticks < 3; ticks += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('Polled stamps', () => {
  it('are unknown before the first query', () => {
    expect([held().of('keys'), held().all()]).toEqual([undefined, undefined]);
  });

  it('come from a query that started after the call, and calls that wait share this query', async () => {
    const { sent, refresh, of } = held();
    const first = [refresh(), refresh()];
    await nextTick();
    expect(sent).toHaveLength(1);
    let isRefreshed = false;
    const later = [refresh().then(() => (isRefreshed = true)), refresh()];
    sent[0]!.answer('one');
    await Promise.all(first);
    await nextTick();
    expect([of('keys'), isRefreshed, sent.length]).toEqual(['one', false, 2]);
    sent[1]!.answer('two');
    await Promise.all(later);
    expect(of('keys')).toBe('two');
  });

  it('are unknown after a query that failed, until the next query succeeds', async () => {
    const { sent, refresh, of, all } = held();
    for (const answer of ['one', undefined, 'two']) {
      const refreshed = refresh().catch(() => undefined);
      await nextTick();
      if (answer === undefined) sent.at(-1)!.fail(new Error('away'));
      else sent.at(-1)!.answer(answer);
      await refreshed;
      expect([of('keys'), all()]).toEqual([answer, answer && `keys ${answer}`]);
      await nextTick();
    }
  });
});
