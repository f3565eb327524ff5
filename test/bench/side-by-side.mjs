import { figure } from './table.mjs';

/**
 * A table about one deployment: a row for each figure, and a column for each size of the data. The last column shows
 * how much larger the figure is with a hundred times the data.
 */
export function sideBySide({ mode, against, steps }) {
  const lines = [
    [`${mode} (${against})`, ...steps.map(({ organizations }) => figure(organizations)), 'last ÷ first'],
    ...rows.map(([name, of]) => {
      const values = steps.map(of);
      return [name, ...values.map(figure), figure(values.at(-1) / values[0])];
    }),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  const [head, ...body] = lines.map((cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
  );
  return [head, '─'.repeat(head.length), ...body].join('\n');
}

const latency = (name, of) => [
  [`${name}, p50, ms`, (step) => of(step).p50],
  [`${name}, p99, ms`, (step) => of(step).p99],
  [`${name}, /s`, (step) => of(step).rate],
];

const requested = ['addMember', 'entitlement', 'document', 'listPage'];
const rows = [
  ['events', (step) => step.events],
  ['events grown, /s', (step) => step.grownPerSecond],
  ...latency('add member', (step) => step.addMember),
  ...latency('entitlement', (step) => step.entitlement),
  ...latency('document', (step) => step.document),
  ...latency('page of the list', (step) => step.listPage),
  ['answers 503', (step) => requested.reduce((sum, name) => sum + step[name].overloaded, 0)],
  ['start, s', (step) => step.startSeconds],
  ['memory when ready, MiB', (step) => step.readyMiB],
  ['memory after the questions, MiB', (step) => step.busyMiB],
  ['rebuild, s', (step) => step.rebuildSeconds],
  ['rebuild, events/s', (step) => step.rebuiltPerSecond],
  ['rebuild, memory, MiB', (step) => step.rebuildMiB],
];
