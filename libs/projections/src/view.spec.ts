import type { StoredEvent } from '@charter/event-log';
import { recordedEvent } from '@charter/event-log';
import { listedRowOf } from './view';

const stored = (schema: number): StoredEvent => ({
  id: 'aaaaaaaa-0000-4000-8000-000000000001',
  type: 'SeatTaken',
  stream: 'room-1',
  revision: 3n,
  position: '00000000000000000004',
  data: { seat: 'a' },
  metadata: { schema },
  created: new Date(0),
});

describe('Stored event', () => {
  it('is converted for the fold with its revision as a number', () => {
    expect(recordedEvent({}, stored(1))).toMatchObject({ type: 'SeatTaken', data: { seat: 'a' }, revision: 3 });
  });

  it('is refused if its schema is newer than the code', () => {
    expect(() => recordedEvent({}, stored(2))).toThrow('schema 2 is newer than this code');
    expect(recordedEvent({ upcast: (event) => event }, stored(2))).toMatchObject({ metadata: { schema: 2 } });
  });
});

describe('Row of a list', () => {
  it('has each tag once, and its tags are sorted', () => {
    const document = { state: {}, revision: 0, at: '' };
    const row = () => ({ name: 'a', tags: ['z', 'b', 'z'], columns: {} });
    expect(listedRowOf({ row }, document)?.tags).toEqual(['b', 'z']);
    expect(listedRowOf({ row: () => undefined }, document)).toBeUndefined();
  });
});
