/** The rows as a text table. */
export function table(rows) {
  const lines = [titles, ...rows.map(cellsOf)];
  const widths = titles.map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  const [head, ...body] = lines.map((cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
  );
  return [head, '─'.repeat(head.length), ...body].join('\n');
}

const titles = ['path', 'value', 'unit', 'floor', 'ratio', 'target', 'met', 'spread', '×10 data', '×100 data'];

const cellsOf = ({ name, value, unit, floor, ratio, target, met, spread, grows }) => [
  name,
  figure(value),
  unit,
  figure(floor),
  ratio === undefined ? '' : ratio.toFixed(2),
  target,
  met === null ? '' : met ? 'yes' : 'NO',
  `${figure(spread[0])}–${figure(spread[1])}`,
  figure(grows['×10']),
  figure(grows['×100']),
];

/** Rounds to three significant digits; numbers from 1,000 on to four. */
export const figure = (value) =>
  value === undefined ? '' : value.toLocaleString('en', { maximumSignificantDigits: value >= 1000 ? 4 : 3 });
