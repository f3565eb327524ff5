import { setTimeout as pause } from 'node:timers/promises';
import { withProgress } from './verification-progress';

async function linesOf<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const all: Line[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

describe('The progress of a verification', () => {
  it('has a line for each 1,000 events, and ends with the verdict', async () => {
    const lines = await linesOf(
      withProgress(2_500, async (onEvents) => {
        for (let events = 1; events <= 2_500; events += 1) {
          onEvents(events);
          if (events % 100 === 0) await pause(1);
        }
        return 'verdict';
      }),
    );
    expect(lines).toEqual([{ done: 1_000, total: 2_500 }, { done: 2_000, total: 2_500 }, 'verdict']);
  });

  it('has a line every 250 ms while the verification reads no event, for example during the replay of the read model', async () => {
    const lines = await linesOf(
      withProgress(3, async (onEvents) => {
        [1, 2, 3].forEach(onEvents);
        await pause(900);
        return 'verdict';
      }),
    );
    expect(lines.at(-1)).toBe('verdict');
    expect(lines.length).toBeGreaterThanOrEqual(3);
    expect(lines.length).toBeLessThanOrEqual(4);
    expect(new Set(lines.slice(0, -1).map((line) => JSON.stringify(line)))).toEqual(
      new Set([JSON.stringify({ done: 3, total: 3 })]),
    );
  });

  it('never exceeds the total, because events that are appended during the verification also increase the total', async () => {
    const lines = await linesOf(
      withProgress(1, async (onEvents) => {
        onEvents(2);
        await pause(300);
        return 'verdict';
      }),
    );
    expect(lines).toEqual([{ done: 2, total: 2 }, 'verdict']);
  });

  it('throws the error of the verification, and waits for the end of the verification if the reader stops reading', async () => {
    await expect(linesOf(withProgress(1, () => Promise.reject(new Error('unavailable'))))).rejects.toThrow(
      'unavailable',
    );
    let ended = false;
    for await (const line of withProgress(5_000, async (onEvents) => {
      onEvents(1_000);
      await pause(50);
      ended = true;
      return 'verdict';
    })) {
      expect(line).toEqual({ done: 1_000, total: 5_000 });
      break;
    }
    expect(ended).toBe(true);
  });
});
