import type { StateLine } from '@charter/organization-view';
import { valueAfterText, valueBeforeText, pathText } from './diff-words';

it.each([
  ['/name', 'name'],
  ['/parallelUse', 'parallel use'],
  ['/override/until', 'override until'],
  ['/plans/second', 'plan of line second'],
  ['/addOns/si~11', 'purchase si/1'],
  ['/members/7d/productUser', 'member 7d product user'],
  ['/limitsByHand/contentSections', 'limit by hand of contentSections'],
])('The path %s in a difference is printed as %s', (path, words) => expect(pathText(path)).toBe(words));

it.each<[unknown, string]>([
  [undefined, '-'],
  [null, '-'],
  [82_000, '82000'],
  ['Acme', 'Acme'],
  [false, 'no'],
  [
    { plan: 'solo', terms: { limits: {} }, effectiveAt: '2026-11-01T00:00:00.000Z', subscription: null },
    'solo, in force from 2026-11-01T00:00:00.000Z',
  ],
  [
    { addOn: 'additionalUser', quantity: 3, grants: {}, subscription: 's' },
    'additionalUser, quantity 3, by subscription s',
  ],
  [{ hostname: 'a.example', name: 'Shop', features: { logo: false } }, 'a.example, name Shop, features logo no'],
  [{ hostname: 'a.example', name: '', features: {} }, 'a.example'],
])('A value in a difference is printed in words: %j', (value, words) => {
  expect(valueBeforeText({ before: value } as StateLine)).toBe(words);
  expect(valueAfterText({ op: 'add', value } as StateLine)).toBe(words);
  expect(valueAfterText({ op: 'remove', value } as StateLine)).toBe('-');
});
