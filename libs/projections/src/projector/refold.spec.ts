import { type Folded, fold, type Message } from '@charter/decider';
import { type EventLog, MemoryLog, recordedEvent } from '@charter/event-log';
import type { View } from '../view';
import { refold } from './refold';

type Sum = { total: number };
type Added = Message<'Added', { by: number }>;

describe('Folding a parked stream again', () => {
  let steps: string[];
  let iterations: number;
  const view: View<Sum, Added> = {
    name: 'sums',
    version: 1,
    prefixes: ['sum-'],
    initial: () => ({ total: 0 }),
    evolve: (draft, { data }, { event }) => {
      steps.push(`fold ${event} in iteration ${iterations}`);
      draft.total += data.by;
      if (data.by < 0) throw new Error('Nothing is taken away.');
      return draft;
    },
  };
  /** Folds a stream with these amounts, after a stored document with the first `stored` amounts. */
  const refolded = async (amounts: readonly number[], stored = 0) => {
    const memory = new MemoryLog();
    const metadata = { at: '2026-11-21T10:00:00.000Z', actor: { kind: 'system', id: 'spec' } };
    const events = amounts.map((by) => ({ id: crypto.randomUUID(), type: 'Added', data: { by }, metadata }));
    await memory.append('sum-a', events, { expected: 'no_stream' });
    const log = Object.assign(Object.create(memory) as EventLog, {
      readStream: async function* (...given: Parameters<EventLog['readStream']>) {
        for await (const event of memory.readStream(...given)) {
          steps.push(`read ${event.revision}`);
          yield event;
        }
      },
    });
    const get = async () => {
      const before = steps.length;
      let document: Folded<Sum> | undefined;
      for await (const event of memory.readStream('sum-a', { maxCount: stored }))
        document = fold(view, [recordedEvent(view, event)], document);
      steps.length = before; // without the steps of this preparation
      return document;
    };
    let isOver = false;
    const countIterations = () => {
      iterations += 1;
      if (!isOver) setImmediate(countIterations);
    };
    setImmediate(countIterations);
    const result = await refold(log, { get }, view, 'sum-a', await memory.head());
    isOver = true;
    await memory.close();
    return result;
  };
  beforeEach(() => {
    [steps, iterations] = [[], 0];
  });
  const kinds = () => steps.map((step) => step.replace(/ in iteration .*/, ''));

  it('folds each event before it reads the next event, so that memory never contains a whole stream', async () => {
    expect(await refolded([1, 2, 3, 4], 1)).toMatchObject({ document: { state: { total: 10 }, revision: 3 } });
    expect(kinds()).toEqual(['read 1', 'fold 1', 'read 2', 'fold 2', 'read 3', 'fold 3']);
  });

  it('reads no event after the poison event, and returns the document of the events before it', async () => {
    const { document, poison } = await refolded([1, 2, -3, 4, 5]);
    expect(document).toMatchObject({ state: { total: 3 }, revision: 1 });
    expect(poison?.event.revision).toBe(2n);
    expect(kinds()).not.toContain('read 3');
  });

  it('lets other work of the thread run while it folds a long stream', async () => {
    await refolded(Array.from({ length: 3_000 }, () => 1));
    const iterationsWithFolds = new Set(
      steps.filter((step) => step.startsWith('fold')).map((step) => step.split(' ').at(-1)),
    );
    expect(iterationsWithFolds.size).toBeGreaterThan(3);
  });
});
