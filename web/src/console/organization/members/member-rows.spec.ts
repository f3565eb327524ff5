import type { OrganizationDocument } from '@charter/client';
import { filteredMembers, memberRows } from './member-rows';

const member = (_id: string, role = 'member', pulseUser = false) => ({ _id, role, pulseUser });
const document = (...members: object[]) => ({ members }) as unknown as OrganizationDocument;
const event = { event: 1, at: '2026-11-01T00:00:00.000Z' };
const refs = { since: event, roleSince: event };
const people = [
  { ...refs, user: 'a', role: 'owner', productUser: false, name: 'Ada Jansen', email: 'ada@n.example', invited: false },
  { ...refs, user: 'b', role: 'member', productUser: false, name: null, email: 'ben@n.example', invited: true },
  { ...refs, user: 'c', role: 'member', productUser: false, erased: true },
  { ...refs, user: 'd', role: 'member', productUser: false },
] as const;
const rows = memberRows(
  document(member('d'), member('c'), member('b'), member('a', 'owner', true)),
  undefined,
  people,
  'pulse',
);

describe('Rows of members', () => {
  it('are in the order of the current names or e-mail addresses; members without both come last', () =>
    expect(rows.map(({ id, name, state }) => [id, name, state])).toEqual([
      ['a', 'Ada Jansen', 'active'],
      ['b', 'ben@n.example', 'invited'],
      ['d', null, 'unknown'],
      ['c', null, 'erased'],
    ]));

  it('have no state if the service has not answered', () =>
    expect(memberRows(document(member('a')), undefined, [], 'pulse')[0]!.state).toBeUndefined());

  it('read whether a member is a product user from the field that begins with the product key', () => {
    expect(rows.filter(({ isProductUser }) => isProductUser).map(({ id }) => id)).toEqual(['a']);
    const other = memberRows(document({ ...member('a'), otherUser: true }), undefined, [], 'other');
    expect(other[0]!.isProductUser).toBe(true);
  });

  it('mark each difference from the other side of the comparison', () => {
    const past = document(member('a', 'owner'), member('b'));
    const now = document(member('a', 'admin'), member('c'));
    const compared = memberRows(past, { document: now, isEarlier: false }, people, 'pulse');
    expect(compared.map(({ id, mark, other }) => [id, mark, other?.role])).toEqual([
      ['a', 'changed', 'admin'],
      ['b', 'removed', undefined],
      ['c', 'added', 'member'],
    ]);
  });
});

describe('The filter of members', () => {
  const found = (filter: object) =>
    filteredMembers(rows, { searched: '', role: '', state: '', ...filter }).map(({ id }) => id);

  it('finds members by a part of the name, the e-mail address or the id', () => {
    expect(found({ searched: ' JANS ' })).toEqual(['a']);
    expect(found({ searched: 'n.example' })).toEqual(['a', 'b']);
    expect(found({ searched: 'd' })).toEqual(['a', 'd']);
  });

  it('finds members who match the role, the state and the search text at once', () => {
    expect(found({ role: 'member' })).toEqual(['b', 'd', 'c']);
    expect(found({ role: 'member', state: 'invited', searched: 'ben' })).toEqual(['b']);
    expect(found({ role: 'owner', state: 'invited' })).toEqual([]);
  });

  it('finds members whose state the service has not sent, whatever state the filter names', () => {
    const unanswered = memberRows(document(member('a')), undefined, [], 'pulse');
    expect(filteredMembers(unanswered, { searched: '', role: '', state: 'active' })).toEqual(unanswered);
  });
});
