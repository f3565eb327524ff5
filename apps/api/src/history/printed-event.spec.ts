import { randomUUID } from 'node:crypto';
import { type EventTexts, type EventWithTexts, positionOf, unreadableEvent } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { historyEventLine, printedHistoryEvent } from './printed-event';

const metadata = {
  ...{ actor: { id: 'k', kind: 'key' }, at: '2026-11-28T10:00:00.000Z', causation: 'a', command: randomUUID() },
  ...{ correlation: 'a', hash: 'ab', previousHash: 'aa', schema: 1 },
};
const fail = (message: string): never => {
  throw new Error(message);
};
const item = (
  type: string,
  data: unknown,
  eventMetadata: object = metadata,
): EventWithTexts & { texts: EventTexts } => {
  const head = { id: randomUUID(), type, stream: organizationStream(randomUUID()), position: positionOf(9) };
  return {
    ...{ ...head, revision: 7 },
    event: { ...head, revision: 7n, created: new Date(0), data, metadata: eventMetadata },
    texts: { data: JSON.stringify(data), metadata: JSON.stringify(eventMetadata) },
  };
};

// acceptance.md P8
describe('The line of an event', () => {
  it.each([
    ['a readable event', item('OrganizationRenamed', { name: 'A\\b\té\u2028\ud800' }), false],
    ['data that do not match the type', item('OrganizationRenamed', { name: 5 }), true],
    ['data that are not an object', item('OrganizationRenamed', ['name']), true],
    ['a type of a newer release', item('Un"known', {}), false],
    [
      'metadata in another order',
      item('OrganizationRenamed', { name: 'A' }, Object.fromEntries(Object.entries(metadata).reverse())),
      false,
    ],
    ['data of a newer type that are not an object', item('Newer', ['a']), true],
    ['metadata of another tool', item('OrganizationRenamed', { name: 'A' }, { by: 'x' }), true],
  ])('of %s is the JSON of the printed event', (_, given, unreadable) => {
    for (const repetitions of [new Map<number, number>(), new Map([[7, 2]])]) {
      const printed = printedHistoryEvent(given.event, repetitions);
      expect(historyEventLine(given, repetitions)).toBe(JSON.stringify(printed));
      expect(historyEventLine({ ...given, texts: undefined }, repetitions)).toBe(JSON.stringify(printed));
      expect(printed.unreadable ?? false).toBe(unreadable);
      expect(printed.repeats).toBe(repetitions.get(7));
    }
  });

  it('contains the stored text of a readable event unchanged, with its spaces', () => {
    const given = item('OrganizationRenamed', { name: 'A' });
    const line = historyEventLine({ ...given, texts: { ...given.texts, data: '{"name": "A"}' } }, new Map());
    expect(line).toContain('"data":{"name": "A"},');
  });

  it('of a readable event is made without reading `event`', () => {
    const { event, ...given } = item('OrganizationRenamed', { name: 'A' });
    const unparsed = Object.defineProperty(given, 'event', { get: () => fail('The event was parsed.') });
    expect(historyEventLine(unparsed as EventWithTexts, new Map())).toBe(
      JSON.stringify(printedHistoryEvent(event, new Map())),
    );
  });

  it('marks the event as unreadable if its data are not JSON', () => {
    const { event, texts, ...head } = item('OrganizationRenamed', { name: 'A' });
    const given = { ...head, event: unreadableEvent(event), texts: { ...texts, data: '{' } };
    expect(JSON.parse(historyEventLine(given, new Map()))).toMatchObject({ unreadable: true, data: null });
  });

  it('marks the event as unreadable if its data have too many levels', () => {
    const { event, texts, ...head } = item('Newer', {});
    const data = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const given = { ...head, event: unreadableEvent(event), texts: { ...texts, data } };
    expect(JSON.parse(historyEventLine(given, new Map()))).toMatchObject({ unreadable: true, data: null });
  });
});
