import { cpSync, ftruncateSync, openSync, closeSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CommandLine } from '../cli/command-line';
import { seed } from '../projections/seed';

const PAGE = 4096;
type File = 'events' | 'documents';

/** Stores with a history, without damage. The tests damage copies of these stores. */
const whole = new CommandLine();
beforeAll(async () => {
  for (const name of ['Northwind', 'Old Mill Bakery', 'Harbour Museum']) await whole.found(name, 'solo', 'teams');
  await whole.json('keys', 'create', '--name', 'a key', '--scopes', 'organizations:read');
  await whole.json('accounts', 'create', '--email', 'ada@example.com');
  await whole.json('projections', 'rebuild');
}, 30_000);
afterAll(() => whole.remove());

let charter: CommandLine;
beforeEach(() => {
  charter = new CommandLine();
  cpSync(whole.data, charter.data, { recursive: true });
});
afterEach(() => charter.remove());

/** Every row of every table; undefined if the file cannot be read. */
function rowsIn(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true, readBigInts: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    return tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${String(name)}"`).all()]);
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

function written(path: string, bytes: Buffer, at: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

const pagesOf = (path: string) => statSync(path).size / PAGE;

const damages: Readonly<Record<string, (path: string) => void>> = {
  'damaged in its last bytes': (path) => written(path, Buffer.alloc(64, 0xa5), statSync(path).size - 64),
  'cut off in its last page': (path) => cut(path, statSync(path).size - 1_000),
  'cut off by its last page': (path) => cut(path, statSync(path).size - PAGE),
  'cut off in the middle': (path) => cut(path, Math.floor(pagesOf(path) / 2) * PAGE),
  ...Object.fromEntries(
    [0.13, 0.41, 0.77].map((part) => [
      `with page ${part} of it zeroed`,
      (path: string) => written(path, Buffer.alloc(PAGE), (1 + Math.floor(chosen(part) * (pagesOf(path) - 1))) * PAGE),
    ]),
  ),
};

/** Matches messages that name the file, or the part of it that cannot be read. */
const whereOf = (file: string) =>
  new RegExp(`${file.replaceAll('.', '\\.')}|"organization": "|The document of \\S+ in the read model`);

/** Moves a relative position in the file (0 to 1) by an offset that depends only on the seed. */
const chosen = (part: number) => (part + (seed % 1_000) / 1_000) % 1;

function cut(path: string, size: number): void {
  const file = openSync(path, 'r+');
  ftruncateSync(file, size);
  closeSync(file);
}

describe(`N9: Damaged stores (SEED=${seed})`, () => {
  it('pass the verification before these tests damage them', async () => {
    expect(await charter.json('verify', '--all')).toMatchObject({ code: 0, answer: { ok: true } });
  });

  it.each(
    (['events', 'documents'] as const).flatMap((file) =>
      Object.entries(damages).map(([how, damage]) => ({ file, how, damage })),
    ),
  )(
    '(the file $file, $how) are reported with the name of the file or document, or have lost nothing',
    async ({ file, damage }: { file: File; damage: (path: string) => void }) => {
      const before = rowsIn(charter[file]);
      damage(charter[file]);
      const { code, stdout, stderr } = await charter.run(['verify', '--all', '--json']);
      if (code === 0) expect(rowsIn(charter[file])).toEqual(before);
      else expect(stdout + stderr).toMatch(whereOf(charter[file]));
    },
  );
});
