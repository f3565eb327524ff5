import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '@charter/event-log';
import { openCharter } from '@charter/application';
import { publicDocumentFields } from '@charter/organization-view';
import { SettingsRefused, parseSettings } from '@charter/settings';
import { founded } from '../support/requests/organizations';
import { newFolder, serving } from '../support/serving';

/** The data folder of a service that has founded an organization and stopped. */
async function used(): Promise<string> {
  const served = await serving();
  await founded(served);
  await served.stop();
  return served.folder;
}

const open = (folder: string) =>
  openCharter(parseSettings({ PORT: '0', CHARTER_DATA: folder, CHARTER_DEMO: 'off' }), 'server');

/** Opens the stores of the folder, and checks that this is refused. Resolves with the message of the refusal. */
async function refusalOf(folder: string): Promise<string> {
  try {
    await (await open(folder)).close();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreRefused);
    return (error as StoreRefused).message;
  }
  throw new Error('The stores were opened.');
}

const sentence = /^[A-Z/][^\n]{20,300}\.$/;
const change = (file: string, sql: string) => {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
};

describe('Start on a data folder', () => {
  const files = ['events.db', 'documents.db'];
  const cases: readonly (readonly [string, (file: string) => void])[] = [
    ['full of other bytes', (file) => writeFileSync(file, 'x'.repeat(10_000))],
    [
      'damaged in its first page',
      (file) => writeFileSync(file, Buffer.concat([Buffer.alloc(100, 7), readFileSync(file).subarray(100)])),
    ],
    ['damaged in the middle', (file) => damage(file)],
    ['truncated', (file) => writeFileSync(file, readFileSync(file).subarray(0, 5_000))],
    ['of another program', (file) => foreign(file)],
    ['of a newer version', (file) => change(file, newer(file))],
    ['a folder', (file) => folderAt(file)],
  ];
  const rows = files.flatMap((file) => cases.map(([what, spoil]) => [file, what, spoil] as const));

  it.each(rows)('is refused with one sentence when %s is %s', async (file, _what, spoil) => {
    const folder = await used();
    for (const rest of ['-wal', '-shm']) rmSync(join(folder, file + rest), { force: true });
    spoil(join(folder, file));
    const why = await refusalOf(folder);
    expect(why).toMatch(sentence);
    expect(why).toContain(file.replace('.db', ''));
    rmSync(folder, { recursive: true });
  });

  it('is refused while another process serves the folder', async () => {
    const served = await serving();
    expect(await refusalOf(served.folder)).toMatch(sentence);
    await founded(served); // proves that the first process still serves the folder
    await served.close();
    const again = await serving();
    await again.close();
  });

  it('is refused when the folder cannot be written', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    // Root could write into a read-only folder, so the spec puts a file where the folder should be.
    expect(await refusalOf(join(folder, 'file', 'data'))).toMatch(sentence);
    rmSync(folder, { recursive: true });
  });

  it('succeeds on an intact folder', async () => {
    const folder = await used();
    copyFileSync(join(folder, 'events.db'), join(folder, 'copy.db'));
    await (await open(folder)).close();
    rmSync(folder, { recursive: true });
  });
});

describe('Start with wrong settings', () => {
  it.each([
    ['PORT', 'x'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'ftp://x'],
    ['EVENT_LOG', 'esdb://localhost'],
    ['DOCUMENTS', 'postgres://x'],
    ['CHARTER_DEMO', 'maybe'],
    ['PRODUCT_KEY', 'members'],
    ['PRODUCT_KEY', '__proto__'],
    ['RATE_LIMITS', 'none'],
    ['LOG_LEVEL', 'loud'],
    ['ROLE', 'api'],
  ])('is refused for %s=%s, and the message names the setting', (name, value) => {
    const refused = () => parseSettings({ [name]: value }, publicDocumentFields);
    expect(refused).toThrow(SettingsRefused);
    expect(refused).toThrow(new RegExp(`^${name}: .+`));
  });

  it('A17: warns when a server with the data of the demo has a public address', async () => {
    const warnings = async (environment: Readonly<Record<string, string>>, demo: boolean) => {
      const first = await serving();
      if (demo) await first.charter.database.marks.set('demo', 'on');
      await first.stop();
      const second = await serving({ folder: first.folder, environment });
      const found = second.entries().filter(({ msg }) => String(msg).startsWith('This store was founded as a demo'));
      await second.close();
      return found.map(({ level }) => level);
    };
    for (const open of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://charter.example' }])
      expect([open, await warnings(open, true), await warnings(open, false)]).toEqual([open, [40], []]);
    expect(await warnings({}, true)).toEqual([]);
  });

  it('T8: is refused in demo mode or without throttling if the service is open to other computers', () => {
    for (const open of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://charter.example' }])
      for (const loose of [{ CHARTER_DEMO: 'on' }, { RATE_LIMITS: 'off' }])
        expect(() => parseSettings({ ...open, ...loose })).toThrow(SettingsRefused);
  });
});

function damage(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xee, 4_096, Math.min(bytes.length, 40_960));
  writeFileSync(file, bytes);
}

function foreign(file: string): void {
  rmSync(file);
  change(file, 'create table bookmarks (url text); pragma user_version = 3; pragma application_id = 7');
}

function folderAt(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

/** The SQL that raises the version of a store's schema. Each store keeps this version in a different place. */
const newer = (file: string) =>
  file.endsWith('events.db')
    ? 'pragma user_version = 9999'
    : "insert into kysely_migration values ('999-future', '2027-01-01T00:00:00.000Z')";
