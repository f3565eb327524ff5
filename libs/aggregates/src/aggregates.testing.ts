import { randomUUID } from 'node:crypto';
import { type Decider, type Message, refuse } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import { LogError } from '@charter/event-log';
import type { EventLog } from '@charter/event-log';

/** A hall with a number of seats: a small aggregate with a limit, for specs. */
export type Hall = { seats: number; taken: Record<string, { row: number; at: string }>; notes: { text: string }[] };
export type HallCommand =
  | Message<'Open', { seats: number }>
  | Message<'Take', { guest: string }>
  | Message<'Leave', { guest: string }>
  | Message<'Note', { notes: { text: string }[] }>
  | Message<'Bulge', { bytes: number }>;
export type HallEvent =
  | Message<'Opened', { seats: number }>
  | Message<'Taken', { guest: string; row: number }>
  | Message<'Left', { guest: string }>
  | Message<'Noted', { notes: { text: string }[] }>
  | Message<'Bulged', { text: string }>;
type HallRefusal = 'no-hall' | 'full' | 'not-here';

export const hall: Decider<Hall, HallCommand, HallEvent, HallRefusal> = {
  initial: () => ({ seats: 0, taken: {}, notes: [] }),
  evolve: (draft, { type, data }, { event, at }) => {
    switch (type) {
      case 'Opened':
        return { ...draft, seats: data.seats };
      case 'Taken':
        draft.taken[data.guest] = { row: data.row, at };
        return draft;
      case 'Left':
        draft.taken = Object.fromEntries(Object.entries(draft.taken).filter(([guest]) => guest !== data.guest));
        return draft;
      case 'Noted':
        // Any `evolve` may keep parts of an event and change these parts later. The `evolve` of the hall does so. Then
        // a spec fails if the tested code does not copy the event.
        draft.notes.push(...data.notes);
        for (const note of draft.notes) note.text += ` (${event})`;
        return draft;
      case 'Bulged':
        return draft;
    }
  },
  decide: (command, { seats, taken, notes }) => {
    if (command.type === 'Open') return seats ? [] : [{ type: 'Opened', data: command.data }];
    if (!seats) return refuse('no-hall', 'There is no such hall.');
    const { type, data } = command;
    if (type === 'Note') return [{ type: 'Noted', data: { notes: [...notes, ...data.notes] } }];
    if (type === 'Bulge') return [{ type: 'Bulged', data: { text: 'x'.repeat(data.bytes) } }];
    const { guest } = data;
    const isHere = Object.hasOwn(taken, guest);
    if (type === 'Leave')
      return isHere ? [{ type: 'Left', data: { guest } }] : refuse('not-here', 'Not here.', { guest });
    const used = Object.keys(taken).length;
    if (isHere) return [];
    return used < seats
      ? [{ type: 'Taken', data: { guest, row: used } }]
      : refuse('full', 'The hall is full.', { seats, used });
  },
};

export const open = (seats: number): HallCommand => ({ type: 'Open', data: { seats } });
export const take = (guest: string): HallCommand => ({ type: 'Take', data: { guest } });
export const note = (text: string): HallCommand => ({ type: 'Note', data: { notes: [{ text }] } });
export const leave = (guest: string): HallCommand => ({ type: 'Leave', data: { guest } });

export const noon = '2026-11-21T12:00:00.000Z';

/** The envelope of a new command, with some fields replaced. */
export const envelopeOf = (given: Partial<Envelope> = {}): Envelope => ({
  command: randomUUID(),
  correlation: 'c-1',
  causation: 'r-1',
  actor: { kind: 'key', id: 'k-1', powers: [] },
  at: noon,
  ...given,
});

/** A log with some methods replaced. */
export const logWith = (log: EventLog, other: Partial<EventLog>): EventLog => ({
  append: other.append ?? ((...args) => log.append(...args)),
  readStream: other.readStream ?? ((...args) => log.readStream(...args)),
  readAll: (...args) => log.readAll(...args),
  subscribe: (...args) => log.subscribe(...args),
  head: () => log.head(),
  identity: () => log.identity(),
  close: () => log.close(),
});

export const noAnswer = () => new LogError('unavailable', 'The log gave no answer.');

/** A log that counts its reads and appends. */
export function countingLog(log: EventLog) {
  const calls = { appends: 0, reads: 0 };
  const counted = logWith(log, {
    append: (...args) => {
      calls.appends += 1;
      return log.append(...args);
    },
    readStream: (...args) => {
      calls.reads += 1;
      return log.readStream(...args);
    },
  });
  return { log: counted, calls };
}

/** All stored events of a stream. */
export async function eventsOf(log: EventLog, stream: string) {
  const events = [];
  for await (const event of log.readStream(stream)) events.push(event);
  return events;
}
