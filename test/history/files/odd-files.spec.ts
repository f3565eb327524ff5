import { MemoryLog } from '@charter/event-log';
import { readExportSummary, exportLog, ImportRefused, ZERO_HASH, sealEvents, signerOf } from '@charter/integrity';

const at = '2026-11-21T12:00:00.000Z';
let lines: string[];
beforeAll(async () => {
  const log = new MemoryLog();
  const by = { actor: { kind: 'system', id: 's', powers: [] }, at, correlation: 'c', causation: 'c' } as const;
  const decided = ['Acme', 'Borg'].map((name) => ({ type: 'Noted', data: { name } }));
  const sealed = sealEvents(
    decided,
    'organization-a',
    { revision: -1, hash: ZERO_HASH, at },
    { ...by, command: '00000000-0000-4000-8000-000000000000' },
  );
  await log.append('organization-a', sealed, { expected: 'no_stream' });
  lines = [];
  for await (const line of exportLog(log, signerOf('charter', Buffer.alloc(32, 1)), at)) lines.push(line);
});

async function* from(texts: readonly string[]) {
  yield* texts;
}
const flawIn = (texts: readonly string[]) =>
  readExportSummary(from(texts)).then(
    () => undefined,
    (error: unknown) => (error instanceof ImportRefused ? error.flaw : error),
  );
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

it('verify accepts an undamaged file of the whole log', async () => {
  expect(await flawIn(lines)).toBeUndefined();
});

it.each([
  ['half of a surrogate pair', '"\\ud800"'],
  ['a value that is nested too deep', deep],
  ['a number that is too large for JSON', '1e999'],
])('verify names the line if the file of a whole log contains %s', async (_, value) => {
  const odd = lines.map((line, index) => (index === 2 ? line.replace('"Borg"', value) : line));
  expect(odd).not.toEqual(lines);
  expect(await flawIn(odd)).toMatchObject({ line: 3, stream: 'organization-a', at: 1 });
});

it.each([
  ['a value that is nested too deep', deep],
  ['null', 'null'],
])('verify names the last line if its checksum is %s', async (_, value) => {
  expect(await flawIn([...lines.slice(0, -1), `{"end":${value}}`])).toMatchObject({ line: 4 });
});
