import { validateCheckpoint } from './checkpoint-validation';
import { MemoryLog } from '@charter/event-log';
import { positionOf } from '@charter/event-log';

describe('Projection checkpoint', () => {
  const log = new MemoryLog();
  const id = 'b7e2a1d4-0000-4000-8000-00000000000';
  let store: string;
  beforeAll(async () => {
    store = await log.identity();
    const events = [1, 2, 3].map((n) => ({ id: `${id}${n}`, type: 'Added', data: {} }));
    await log.append('sum-a', events, { expected: 'no_stream' });
  });
  const position = (value: number) => positionOf(BigInt(value));
  const validity = (checkpoint: object) =>
    validateCheckpoint(log, { store, position: position(2), ...checkpoint }).then(
      () => 'yes',
      (why: unknown) => String(why),
    );

  it('is valid when it is absent, or when the event that it names is in the log', async () => {
    await validateCheckpoint(log, undefined);
    expect(await validity({})).toBe('yes');
    expect(await validity({ lastEvent: { position: position(2), id: `${id}2` } })).toBe('yes');
  });

  it.each([
    ['another store', { store: 'another' }, 'belongs to another event store'],
    ['a position beyond the end', { position: position(4) }, 'lies beyond the end'],
    [
      'another event at its position',
      { lastEvent: { position: position(2), id: `${id}3` } },
      'names an event that is not',
    ],
    [
      'no event at its position',
      { position: position(3), lastEvent: { position: position(9), id: `${id}1` } },
      'names an event that is not',
    ],
  ])('is refused if it names %s', async (_, change, why) => {
    expect(await validity(change)).toContain(why);
    await expect(validateCheckpoint(log, { store, position: position(2), ...change })).rejects.toMatchObject({
      kind: 'unknown-checkpoint',
    });
  });
});
