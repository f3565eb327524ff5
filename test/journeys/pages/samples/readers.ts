import type { Readers } from '@charter/client';

const person = (number: number) => ({ kind: 'account', id: `5f0c7a52-52a1-4d0b-9a0e-6d2f6c0a4b0${number}` }) as const;

/** The readers of the sample organization on two days: members with names, platform people by role, and a key. */
const readers: Readers['readers'] = [
  { hour: '2026-11-21T10', actor: person(1), as: 'owner', name: 'Ada Jansen', did: 'read' },
  { hour: '2026-11-21T10', actor: person(2), as: 'operator', name: null, did: 'exported' },
  { hour: '2026-11-21T10', actor: person(2), as: 'operator', name: null, did: 'read' },
  { hour: '2026-11-21T09', actor: { ...person(3), kind: 'key' }, as: 'key', name: 'Nightly export', did: 'followed' },
  { hour: '2026-11-20T16', actor: person(4), as: 'admin', name: 'Maximiliana Wolfeschlegelsteinhausen', did: 'read' },
  { hour: '2026-11-20T16', actor: person(5), as: 'auditor', name: null, did: 'followed' },
];

/** A page of readers; if the request has a cursor, the second page. */
export function readersPage(query: URLSearchParams): Readers {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9'];
  const shown = readers.filter(({ hour }) => `${hour}:59` >= from && hour <= to);
  const [first, second] = [shown.slice(0, 4), shown.slice(4)];
  if (query.has('cursor')) return { readers: second, next: null };
  return { readers: first, next: second.length > 0 ? 'eyJhIjoxfQ' : null };
}
