import type { Readers } from '@charter/client';

const person = (number: number) => ({ kind: 'account', id: `5f0c7a52-52a1-4d0b-9a0e-6d2f6c0a4b0${number}` }) as const;

/**
 * The people and API keys that read the sample organization's history on two days. People with a platform role have no
 * name.
 */
const readers: Readers['readers'] = [
  { hour: '2026-11-21T10', actor: person(1), as: 'owner', name: 'Ada Jansen', did: 'read' },
  { hour: '2026-11-21T10', actor: person(2), as: 'operator', name: null, did: 'exported' },
  { hour: '2026-11-21T10', actor: person(2), as: 'operator', name: null, did: 'read' },
  { hour: '2026-11-21T09', actor: { ...person(3), kind: 'key' }, as: 'key', name: 'Nightly export', did: 'followed' },
  { hour: '2026-11-20T16', actor: person(4), as: 'admin', name: 'Maximiliana Wolfeschlegelsteinhausen', did: 'read' },
  { hour: '2026-11-20T16', actor: person(5), as: 'auditor', name: null, did: 'followed' },
];

/** The first page of the list of readers, or the second page if the request has a cursor. */
export function readersPage(query: URLSearchParams): Readers {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9'];
  const shown = readers.filter(({ hour }) => `${hour}:59` >= from && hour <= to);
  const [first, second] = [shown.slice(0, 4), shown.slice(4)];
  if (query.has('cursor')) return { readers: second, next: null };
  return { readers: first, next: second.length > 0 ? 'eyJhIjoxfQ' : null };
}
