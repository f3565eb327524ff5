import { pairs, table } from './table';

describe('a table', () => {
  it('aligns its columns, numbers to the right', () => {
    expect(
      table(
        ['NAME', 'USED', 'WHY'],
        [
          ['users', '12', 'plan'],
          ['contentSections', 'unlimited', '-'],
        ],
      ),
    ).toBe(
      ['NAME                  USED  WHY', 'users                   12  plan', 'contentSections  unlimited  -'].join(
        '\n',
      ),
    );
  });

  it('gives wide characters the room that they take', () => {
    expect(table(['NAME', 'ID'], [['東京', 'x'], ['Zoé', 'y']])).toBe('NAME  ID\n東京  x\nZoé   y'); // prettier-ignore
  });

  it('shows control characters and does not obey them', () => {
    expect(table(['ERROR'], [['\u001b[2Jgone\u009b1m\n']])).toBe('ERROR\n\ufffd[2Jgone\ufffd1m\ufffd');
    expect(pairs([['name', 'a\u0007']])).toBe('name  a\ufffd');
  });
});

it('names what things are, one under the other', () => {
  expect(pairs([['id', '7d'], ['service level', 'none']])).toBe('id             7d\nservice level  none'); // prettier-ignore
});
