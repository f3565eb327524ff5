import type { StoredEvent } from '@charter/event-log';
import { eventTypes } from '@charter/organization';
import { organizationsOf, releases } from '../../../../test/history/golden';
import { eventSentence, actorText, recorderOf } from './event-sentence';

const events = releases.flatMap(organizationsOf);

describe('Text of an event', () => {
  it('is a different sentence for each event type', () => {
    const sentences = new Map(events.map((event) => [event.type, eventSentence(event)]));
    expect([...sentences.keys()].toSorted()).toEqual([...eventTypes].toSorted());
    expect(new Set(sentences.values()).size).toBe(sentences.size);
    for (const sentence of sentences.values()) {
      expect(sentence).toMatch(/^[A-Z0-9].*[^.]$/);
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|[{}]/);
    }
  });

  it.each<[string, Partial<StoredEvent>, string]>([
    ['a newer type', { type: 'MoonLanded', data: { a: 1 } }, 'MoonLanded {"a":1}'],
    ['a newer schema', { type: 'PlanEnded', data: {}, metadata: { schema: 2 } }, 'PlanEnded {}'],
    ['a broken event', { type: 'LimitsConfigured', data: null }, 'LimitsConfigured null'],
    ['a name that every object has', { type: 'constructor', data: {} }, 'constructor {}'],
  ])('is the event as JSON if this release cannot describe it: %s', (_, event, expected) => {
    expect(eventSentence({ ...events[0]!, metadata: {}, ...event })).toBe(expected);
  });

  it('names the actor by kind and id, and a system actor only by id', () => {
    expect(actorText({ kind: 'account', id: '7d' })).toBe('account 7d');
    expect(actorText({ kind: 'system', id: 'command-line' })).toBe('command-line');
    expect(actorText(undefined)).toBe('-');
  });

  it("contains the payment provider's id of the message if billing recorded the event", () => {
    const recorderText = (kind: string) =>
      recorderOf({ ...events[0]!, metadata: { actor: { kind, id: 'stripe' }, causation: 'evt_1' } });
    expect(recorderText('billing')).toBe('billing stripe, message evt_1');
    expect(recorderText('key')).toBe('key stripe');
  });
});
