import { setImmediate as aMoment } from 'node:timers/promises';
import { streamQueue, Overloaded } from './stream-queue';

/** Jobs that note when they begin and end. */
function noted() {
  const log: string[] = [];
  const job = (name: string, outcome?: Error) => async () => {
    log.push(`${name}<`);
    await aMoment();
    log.push(`>${name}`);
    if (outcome) throw outcome;
    return name;
  };
  return { log, job };
}

describe('taking turns', () => {
  it('is one at a time per key, in the order of asking', async () => {
    const { log, job } = noted();
    const turn = streamQueue(10);
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => turn('k', job(name))));
    expect(answers).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a<', '>a', 'b<', '>b', 'c<', '>c']);
  });

  it('lets different keys go at once', async () => {
    const { log, job } = noted();
    const turn = streamQueue(10);
    await Promise.all([turn('k', job('a')), turn('l', job('b'))]);
    expect(log).toEqual(['a<', 'b<', '>a', '>b']);
  });

  it('goes on after a failure, which only its own caller sees', async () => {
    const { job } = noted();
    const turn = streamQueue(10);
    const outcomes = await Promise.allSettled([turn('k', job('a', new Error('no'))), turn('k', job('b'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await turn('k', job('c'))).toBe('c');
  });

  it('turns away whoever would wait behind too many, and nobody else', async () => {
    const { log, job } = noted();
    const turn = streamQueue(2);
    const [first, second, third] = ['a', 'b', 'c'].map((name) => turn('k', job(name)));
    await expect(turn('k', job('d'))).rejects.toThrow(Overloaded);
    expect(await turn('l', job('e'))).toBe('e');
    expect(await Promise.all([first, second, third])).toEqual(['a', 'b', 'c']);
    expect(await turn('k', job('f'))).toBe('f');
    expect(log).not.toContain('d<');
  });

  it('lets nobody wait longer than they are patient, and their job is never begun', async () => {
    const { log, job } = noted();
    const turn = streamQueue(10, 50);
    let finish: () => void = () => undefined;
    const slow = turn('k', () => new Promise<void>((resolve) => (finish = resolve)));
    const [impatient, behind] = [turn('k', job('a')), turn('k', job('b'))].map((one) => one.catch(String));
    expect(await impatient).toMatch(/No turn for k within 50 ms/);
    expect(await behind).toMatch(/No turn for k/);
    finish();
    await slow;
    expect(await turn('k', job('c'))).toBe('c');
    expect(log).toEqual(['c<', '>c']);
  });
});
