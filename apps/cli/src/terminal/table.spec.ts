import { columns, pairs, table } from './table';

const id = '7d6f0f5e-1111-4222-8333-abcdefabcdef';

describe('Table', () => {
  it('aligns its columns: numbers to the right, text to the left', () => {
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

  it('prints 150,000 rows without a stack overflow', () => {
    expect(
      table(
        ['NAME'],
        Array.from({ length: 150_000 }, () => ['a b']),
      ).length,
    ).toBeGreaterThan(600_000 - 5);
  });

  it('counts two columns for a wide character', () => {
    expect(table(['NAME', 'ID'], [['東京', 'x'], ['Zoé', 'y']])).toBe('NAME  ID\n東京  x\nZoé   y'); // prettier-ignore
  });

  describe('on a terminal', () => {
    const rows = [
      ['2026-11-01T10:00:00.000Z', '9', `Member ${id} added as admin`, `account ${id}`],
      ['2026-11-01T10:00:00.000Z', '10', `Site ${id} added: ${'long.'.repeat(20)}example, “東京”`, 'demo'],
    ];
    const heads = ['RECORDED', 'REVISION', 'WHAT', 'WHO'];
    const shown = (width: number) => table(heads, rows, width);

    it.each([120, 80, 40, 20])('fits every line into %i columns and leaves out no word', (width) => {
      for (const line of shown(width).split('\n')) expect(line.length).toBeLessThanOrEqual(width);
      const said = shown(width).replace(/\s/g, '');
      for (const word of rows.flat().flatMap((cell) => cell.split(' '))) expect(said).toContain(word);
    });

    it('wraps cells between words, and does not move the columns', () => {
      const [head, ...lines] = shown(120).split('\n');
      expect(lines.slice(0, 2).map((line) => line.slice(head!.indexOf('WHAT')))).toEqual([
        `Member ${id}`.padEnd(48) + 'account',
        `added as admin`.padEnd(48) + id,
      ]);
    });

    it("prints the cells of a column without room below their rows, each with the column's heading", () => {
      const lines = shown(80).split('\n');
      expect(lines[0]).not.toContain('WHO');
      expect(lines).toContain(`    WHO: account ${id}`);
      expect(lines).toContain('    WHO: demo');
    });

    it('uses the width of the terminal, and has no width limit in a pipe or file', () => {
      const { isTTY, columns: room } = process.stdout;
      try {
        Object.assign(process.stdout, { isTTY: true, columns: 80 });
        expect(table(heads, rows)).toBe(shown(80));
        Object.assign(process.stdout, { isTTY: false });
        expect(table(heads, rows)).toBe(shown(Infinity));
      } finally {
        Object.assign(process.stdout, { isTTY, columns: room });
      }
    });

    it('prints the same text as in a pipe or file, if every column fits', () => {
      expect(shown(260)).toBe(shown(Infinity));
    });
  });

  it('replaces control characters', () => {
    expect(table(['ERROR'], [['\u001b[2Jgone\u009b1m\n']])).toBe('ERROR\n\ufffd[2Jgone\ufffd1m\ufffd');
    expect(pairs([['name', 'a\u0007']])).toBe('name  a\ufffd');
  });
});

it('A table computes its widths from the first rows, and a wider cell in a later row moves only its own row', () => {
  const { head, line } = columns(['WHAT', 'WHO'], [['short', 'me']], Infinity);
  // prettier-ignore
  expect([head, line(['short', 'me']), line(['not so short', 'me'])]).toEqual(['WHAT   WHO', 'short  me', 'not so short  me']);
});

it('Each pair of a list is printed as one line with a name and its value', () => {
  // prettier-ignore
  expect(pairs([['id', '7d'], ['service level', 'none']])).toBe('id             7d\nservice level  none');
});
