import { readFilter, textOf } from './filter-text';

const ADA = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const SHOP = '0d6c8a52-31d1-4c2e-8a41-51d0c6f6b9aa';
const names = {
  people: new Map([
    [ADA, 'Ada Jansen'],
    ['b1', 'Bo Ek'],
    ['b2', 'Bo Lund'],
  ]),
  sites: new Map([[SHOP, 'shop.test']]),
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
});
