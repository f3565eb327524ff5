import { isProblemReason, problemGroups, problemTypes } from './problem-types';
import { problemTypeOf } from './problem';

const rows = Object.entries(problemTypes);
const sentencesOf = (text: string) => text.split(/(?<=[.?!:])\s+/);
const wordsIn = (text: string) => text.split(/\s+/).length;

describe('The table of problem types', () => {
  it('has each reason in one group only', () => {
    const reasons = problemGroups.flatMap(({ types }) => Object.keys(types));
    expect(reasons).toEqual([...new Set(reasons)]);
    expect(reasons.length).toBe(rows.length);
    expect(reasons.length).toBeGreaterThan(80);
  });

  it.each(rows)(
    'gives %s a title that is a short phrase and more than the words of the reason',
    (reason, { title }) => {
      expect(title).toMatch(/^[A-Z][^.:;]{8,59}$/);
      expect(wordsIn(title)).toBeGreaterThan(2);
      if (reason !== 'too-many-attempts') expect(title.toLowerCase().replaceAll(' ', '-')).not.toBe(reason);
    },
  );

  it('gives no two problem types the same title', () => {
    const titles = rows.map(([, { title }]) => title);
    expect(titles).toEqual([...new Set(titles)]);
  });

  it.each(rows)('explains %s in sentences of at most 25 words', (_reason, { meaning, remedy }) => {
    for (const sentence of [...sentencesOf(meaning), ...sentencesOf(remedy)]) {
      expect([sentence, wordsIn(sentence) <= 25]).toEqual([sentence, true]);
      expect(sentence).toMatch(/[.:?]"?$|^`.*`\.$/);
    }
  });

  it('knows only the reasons in its rows, and no names of object methods', () => {
    expect(['xsrf', 'brand-new', 'constructor', '__proto__', ''].filter(isProblemReason)).toEqual(['xsrf']);
  });
});

it('The type of a problem ends with its reason, and the title comes from the table', () =>
  expect(problemTypeOf('xsrf')).toEqual({
    type: '/problems/xsrf',
    title: 'The request lacks a valid XSRF token',
  }));
