import { readFilter, textOf } from './filter-text';
import { suggestionsFor } from './suggestions';

const ADA = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const SHOP = '0d6c8a52-31d1-4c2e-8a41-51d0c6f6b9aa';
const names = {
  people: new Map([
    [ADA, 'Ada Jansen'],
    ['b1', 'Bo Ek'],
    ['b2', 'Bo Lund'],
    ['c1', 'Bo Berg'],
    ['c2', 'Bo Berg'],
    ['d1', 'old.test'],
    ['11111111-1111-4111-8111-111111111111', 'Dee "Dot" Dale'],
    ['22222222-2222-4222-8222-222222222222', 'Billing'],
    ['f1', 'members'],
  ]),
  sites: new Map([
    [SHOP, 'shop.test'],
    ['e1', 'old.test'],
  ]),
};
const now = Date.UTC(2026, 10, 22, 12);
const read = (text: string) => readFilter(text, names, now);
const problem = (text: string) => read(text).problems.map(({ message }) => message.replace('filter.problem.', ''));

describe('The text of a filter', () => {
  it.each([
    ['type:plan', { type: 'PlanAssigned,PlanEnded,ServiceLevelAssigned' }],
    ['type:SiteAdded,limits', { type: 'SiteAdded,LimitsConfigured,HardLimitsOverridden,HardLimitsRestored' }],
    ['type:siteadded type:SiteRemoved', { type: 'SiteAdded,SiteRemoved' }],
    ['-type:traffic', { 'not-type': 'TrafficReported' }],
    ['actor:billing', { actor: 'billing' }],
    ['actor:"ada jansen"', { actor: ADA }],
    ['actor:Ada', { actor: ADA }],
    ['about:jan', { about: `/members/${ADA}` }],
    ['about:shop', { about: `/sites/${SHOP}` }],
    ['about:members', { about: '/members' }],
    ['about:"Ada Jansen"', { about: `/members/${ADA}` }],
    ['about:shop.test', { about: `/sites/${SHOP}` }],
    ['after:2026-01-01 before:2026-02-01', { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T23:59:59.999Z' }],
    ['after:"2 May 2026 21:33"', { from: '2026-05-02T21:33:00.000Z' }],
    ['after:yesterday', { from: '2026-11-21T12:00:00.000Z' }],
    ['#100..200', { from: '100', to: '200' }],
    ['#100..', { from: '100' }],
    ['#..200', { to: '200' }],
    ['#7', { from: '7', to: '7' }],
    ['#1,191', { from: '1191', to: '1191' }],
    ['#1\u00a0191..#1\u00a0250', { from: '1191', to: '1250' }],
    ['#1.191.250.. actor:billing', { from: '1191250', actor: 'billing' }],
    ['', {}],
  ])('is parsed into the query parameters that the service accepts: %j', (text, filter) =>
    expect(read(text)).toEqual({ filter, problems: [] }),
  );

  it.each([
    ['type:', 'type'],
    ['type:Nonsense', 'type'],
    ['type:plan,Nonsense', 'type'],
    ['actor:', 'actor'],
    ['about:', 'about'],
    ['about:Ben', 'about'],
    ['about:Bo', 'several'],
    ['actor:bo', 'several'],
    ['about:en', 'about'],
    ['about:ben@example.com', 'about'],
    ['after:2026-02-30', 'moment'],
    ['before:soon', 'moment'],
    ['#200..100', 'range'],
    ['#', 'range'],
    ['#1,19', 'word'],
    ['hello', 'word'],
    ['colour:red', 'word'],
    [`type:${'x'.repeat(10_000)}`, 'too-long'],
  ])('is refused with a reason: %.40j', (text, message) => expect(problem(text)).toEqual([message]));

  it.each([
    'type:plan -type:PlanEnded actor:billing after:2026-01-01',
    'type:members,SiteAdded about:shop.test #100..200',
    'actor:"Ada Jansen" request:7c1e52f0 before:2026-02-01',
    'about:plans/second #7',
    '#100..',
  ])('stays the same after parsing and printing: %j', (text) => expect(textOf(read(text).filter, names)).toBe(text));

  it('contains an unknown event type from the address unchanged', () =>
    expect(textOf({ type: 'Nonsense' }, names)).toBe('type:Nonsense'));

  it('is refused if several people or sites have the written name', () => {
    expect(read('actor:"Bo Berg"').problems).toEqual([{ part: 'actor:"Bo Berg"', message: 'filter.problem.several' }]);
    expect(problem('about:"bo berg"')).toEqual(['several']);
    expect(problem('about:old.test')).toEqual(['several']);
  });

  it('reads a kind of actor and a part of the document before the name of a person', () => {
    expect(read('actor:Billing').filter).toEqual({ actor: 'billing' });
    expect(read('about:members').filter).toEqual({ about: '/members' });
  });

  it.each([
    { actor: 'c1' }, // another person has this name, too
    { about: '/members/c2' },
    { about: '/members/d1' }, // a site has this name, too
    { about: '/sites/e1' },
    { actor: '11111111-1111-4111-8111-111111111111' }, // the name contains quotation marks
    { actor: '22222222-2222-4222-8222-222222222222' }, // the name is also a kind of actor
    { about: '/members/f1' }, // the name is also a part of the document
    { about: '/members/b1/role' },
  ])('contains the id if the name does not lead back to the same filter: %j', (filter) => {
    const [[key, value]] = Object.entries(filter) as [[string, string]];
    expect(textOf(filter, names)).toBe(`${key}:${value.replace(/^\//, '')}`);
  });
});

describe('The suggestions for a filter', () => {
  it.each(['actor:berg', 'actor:"Bo Berg', 'type:plan actor:"Bo Berg"'])(
    'contain the id of each person whose name several people have: %s',
    (text) =>
      expect(suggestionsFor(text, names, (id) => id)).toEqual([
        { insert: 'actor:c1 ', label: 'Bo Berg' },
        { insert: 'actor:c2 ', label: 'Bo Berg' },
      ]),
  );

  it('contain the name of a person if only this person has the name', () =>
    expect(suggestionsFor('about:jan', names, (id) => id)).toEqual([
      { insert: 'about:"Ada Jansen" ', label: 'Ada Jansen' },
    ]));
});
