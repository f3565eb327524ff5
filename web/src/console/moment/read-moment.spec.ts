import { isDeepStrictEqual } from 'node:util';
import { printedMoment, timeZone } from '../../choices/time-zone';
import { readMoment } from './read-moment';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const moment = (at: string) => ({ kind: 'moment', at });

describe('The field for moments', () => {
  it.each([
    ['#1191', { kind: 'revision', revision: 1191 }],
    ['#1,191', { kind: 'revision', revision: 1191 }],
    ['# 1 191', { kind: 'revision', revision: 1191 }],
    ['1191', { kind: 'revision', revision: 1191 }],
    ['now', { kind: 'present' }],
    ['Founded', { kind: 'revision', revision: 0 }],
    ['nyt', { kind: 'present' }],
    ['yesterday', moment('2026-11-21T12:00:00.000Z')],
    ['3 days ago', moment('2026-11-19T12:00:00.000Z')],
    ['2 tuntia sitten', moment('2026-11-22T10:00:00.000Z')],
    ['2 May 2026 21:33', moment('2026-05-02T21:33:00.000Z')],
    ['2 May 2026, 21:33:20 UTC', moment('2026-05-02T21:33:20.000Z')],
    ['May 2, 2026', moment('2026-05-02T00:00:00.000Z')],
    ['2. toukokuuta 2026 klo 21.33', moment('2026-05-02T21:33:00.000Z')],
    ['2.5.2026 21.33', moment('2026-05-02T21:33:00.000Z')],
    ['2026-05-02', moment('2026-05-02T00:00:00.000Z')],
    ['2026-05-02T21:33Z', moment('2026-05-02T21:33:00.000Z')],
    ['2026-05-02T21:33:20.5Z', moment('2026-05-02T21:33:20.500Z')],
    ['May 2, 2026, 12:05 am', moment('2026-05-02T00:05:00.000Z')],
    ['May 2, 2026, 12:05 PM', moment('2026-05-02T12:05:00.000Z')],
    ['2026-05-02 2:00 UTC−3:30', moment('2026-05-02T05:30:00.000Z')],
    ['{"revision": 12, "type": "MemberAdded"}', { kind: 'revision', revision: 12 }],
    ['{"specversion": "1.0", "data": {"revision": 12}}', { kind: 'revision', revision: 12 }],
  ])('reads %s', (text, reading) => {
    expect(readMoment(text, now)).toEqual(reading);
  });

  it.each([
    '',
    '   ',
    '2026-02-30',
    '30.2.2026',
    '31 June 2026',
    '10000-01-01',
    '2026-13-01',
    '2026-05-02 25:00',
    '2026-05-02 13:00 PM',
    '2026-05-02 0:30 AM',
    '2026-05-02 12:00 UTC+25',
    '2026-05-02 12:00 UTC+3:60',
    '9999-12-31 23:00 UTC-3',
    '2 Foo 2026',
    'next week',
    '-5',
    '#',
    '#1e9',
    '999999 weeks ago',
    '{"revision": -1}',
    '{"revision": "12"}',
    '{"data": null}',
    '{broken',
    'constructor',
    '__proto__',
    'x'.repeat(10_001),
    '9'.repeat(16),
  ])('does not read %p', (text) => {
    expect(readMoment(text, now)).toEqual({ kind: 'unreadable' });
  });

  it.each(['2026-05-02T00:33:20.000Z', '2026-05-02T12:05:00.000Z', '2026-12-31T21:59:59.000Z'])(
    'reads the moment %s as the English and the Finnish pages print it in each time zone',
    (at) => {
      const unread: string[] = [];
      for (const zone of ['UTC', ...Intl.supportedValuesOf('timeZone')]) {
        timeZone.choose(zone);
        for (const locale of ['en', 'fi']) {
          const second = printedMoment(at, locale, { dateStyle: 'medium', timeStyle: 'medium' });
          const minute = printedMoment(at, locale, { dateStyle: 'medium', timeStyle: 'short' });
          if (!isDeepStrictEqual(readMoment(second, now), moment(at))) unread.push(`${zone}: ${second}`);
          const atMinute = `${at.slice(0, 16)}:00.000Z`;
          if (!isDeepStrictEqual(readMoment(minute, now), moment(atMinute))) unread.push(`${zone}: ${minute}`);
        }
      }
      timeZone.choose('utc');
      expect(unread).toEqual([]);
    },
  );

  it('reads seven hostile texts of 10,000 characters in less than 200 ms of processor time', () => {
    const began = process.cpuUsage();
    for (const part of ['#1', '1 ', 'may ', '2.', '2026-', '{', '0:'])
      readMoment(part.repeat(10_000).slice(0, 10_000), now);
    expect(process.cpuUsage(began).user).toBeLessThan(200_000);
  });
});
