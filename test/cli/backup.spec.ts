import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventLog } from '@charter/event-log';
import { rebuild, readProjectionStatus } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { type Charter, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { allOf, catchUp, hashOf, start } from '../projections/projecting';
import { CommandLine, ended, found } from './command-line';

let charter: CommandLine;
let copy: string;
beforeEach(() => {
  charter = new CommandLine();
  copy = join(charter.data, 'copy');
});
afterEach(() => charter.remove());

const asServer = (data: string) => openCharter(parseSettings({ CHARTER_DATA: data }), 'server');
const namesIn = async (log: EventLog) =>
  (await allOf(log)).flatMap(({ type, data }) =>
    type === 'OrganizationFounded' ? [(data as { name: string }).name] : [],
  );

/**
 * Founds three organizations, and then further organizations while the work runs. Resolves with the names of the
 * first three organizations.
 */
async function whileFounding(server: Charter, work: () => Promise<unknown>): Promise<readonly string[]> {
  for (const name of ['Acme', 'Borg', 'Cyberdyne']) await found(server, name, 'teams');
  const working = { on: true };
  const done = work().finally(() => (working.on = false));
  for (let count = 0; working.on; count += 1) await found(server, `Meanwhile ${count}`);
  await done;
  return ['Acme', 'Borg', 'Cyberdyne'];
}

describe('charter backup', () => {
  it('refuses a folder that cannot be created, with the reason of the operating system', async () => {
    await charter.found('Acme');
    const file = join(charter.data, 'notes.txt');
    writeFileSync(file, '');
    const { code, answer } = await charter.json('backup', join(file, 'copy'));
    expect({ code, answer }).toMatchObject({
      code: 1,
      answer: {
        type: '/problems/not-writable',
        status: 409,
        detail: expect.stringContaining('cannot be created (ENOTDIR)'),
      },
    });
  });

  it('refuses a folder under /proc, where nothing can be created', async () => {
    if (process.platform !== 'linux') return;
    await charter.found('Acme');
    const copied = await ended(charter.start(['backup', '/proc/none/copy']));
    const opened = await ended(
      charter.start(['organization', 'found', '--name', 'Borg'], { CHARTER_DATA: '/proc/none/data' }),
    );
    expect([copied.code, copied.stderr, opened.code, opened.stderr]).toEqual([
      1,
      expect.stringContaining('/proc/none/copy cannot be created (ENOENT)'),
      1,
      expect.stringContaining('/proc/none/data cannot be written'),
    ]);
  });

  it('copies stores while a server uses them: the copy is intact and complete, and its read model catches up', async () => {
    const server = await asServer(charter.data);
    const projection = start(server.log, server.view);
    const before = await whileFounding(server, async () => {
      const { code, answer } = await charter.json('backup', copy);
      expect({ code, ...answer }).toEqual({
        code: 0,
        folder: copy,
        bytes: expect.any(Number),
        stores: ['documents.db', 'events.db'],
      });
    });
    await projection.stop();
    await server.close();
    expect((await charter.run(['verify', '--all'], { CHARTER_DATA: copy })).code).toBe(0);

    const restored = await asServer(copy);
    await catchUp(restored.log, restored.view);
    expect(await namesIn(restored.log)).toEqual(expect.arrayContaining([...before]));
    await hashOf(restored.log, restored.view);
    expect(restored.keyFor('secrets')).toEqual(server.keyFor('secrets'));
    expect(restored.signer.verifierKey).toBe(server.signer.verifierKey);
    await restored.close();
    for (const name of ['.', 'events.db', 'documents.db', 'session-secret', 'checkpoint-key'])
      expect([name, statSync(join(copy, name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('names a command that verifies the copy, although other settings name the stores', async () => {
    await charter.found('Acme');
    const copyWithSpace = join(charter.data, 'the copy');
    const settings = { EVENT_LOG: `sqlite:${charter.events}` };
    const { stdout } = await charter.run(['backup', copyWithSpace], { ...settings, CHARTER_DATA: charter.data });
    const sets = 'EVENT_LOG= DOCUMENTS= CHARTER_DATA=';
    expect(stdout).toMatch(`Verify it: ${sets}'${copyWithSpace}' charter verify --all\n`);
    const other = { ...settings, CHARTER_DATA: join(charter.data, 'none'), DOCUMENTS: `sqlite:${charter.documents}` };
    const elsewhere = await charter.run(['backup', copy], other);
    expect(elsewhere.stdout).toMatch(`Verify it: ${sets}${copy} charter verify --all\n`);
    const usual = await charter.run(['backup', join(charter.data, 'usual')]);
    expect(usual.stdout).toMatch(`Verify it: CHARTER_DATA=${join(charter.data, 'usual')} charter verify --all\n`);
    const empty = { EVENT_LOG: '', DOCUMENTS: '', CHARTER_DATA: copy };
    writeFileSync(join(copy, 'events.db'), 'damaged');
    expect((await charter.run(['verify', '--all'], empty)).code).toBe(1);
  });

  it('accepts a folder whose name ends with a slash', async () => {
    await charter.found('Acme');
    const { code, answer } = await charter.json('backup', `${copy}/`);
    expect({ code, ...answer }).toEqual({
      code: 0,
      folder: copy,
      bytes: expect.any(Number),
      stores: ['documents.db', 'events.db'],
    });
    expect(existsSync(join(copy, 'events.db'))).toBe(true);
  });

  it('is refused, and leaves no folder, if a file is missing or damaged', async () => {
    await charter.found('Acme');
    const documents = join(charter.data, 'documents.db');
    for (const spoil of [() => rmSync(documents), () => writeFileSync(documents, 'not a database'.repeat(1_000))]) {
      spoil();
      const { code, stderr } = await charter.run(['backup', copy]);
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(`${documents} cannot be copied: `)]);
      expect(stderr).not.toContain('Error:');
      expect(code).toBeGreaterThan(0);
      expect(readdirSync(charter.data).filter((name) => name.startsWith('copy'))).toEqual([]);
    }
  });

  it('makes a copy whose log alone is enough to rebuild the same read model (U2)', async () => {
    await charter.found('Acme', 'teams');
    const server = await asServer(charter.data);
    await catchUp(server.log, server.view);
    const hash = await hashOf(server.log, server.view);
    await server.close();
    await charter.run(['backup', copy]);
    for (const name of ['documents.db', 'backup.json']) rmSync(join(copy, name));

    const restored = await asServer(copy);
    await rebuild(restored.log, restored.view, organizationView);
    expect(await hashOf(restored.log, restored.view)).toBe(hash);
    await restored.close();
  });

  it('makes a copy of the log that Charter recognises as older than the current tables; a rebuild then repairs the read model (U5)', async () => {
    await charter.found('Acme');
    await charter.run(['backup', copy]);
    await charter.found('Borg');
    const server = await asServer(charter.data);
    await catchUp(server.log, server.view);
    await server.close();
    for (const rest of ['', '-wal', '-shm']) rmSync(`${charter.events}${rest}`, { force: true });
    cpSync(join(copy, 'events.db'), charter.events);

    const restored = await asServer(charter.data);
    expect((await readProjectionStatus(restored.log, restored.view, organizationView)).rebuildNeeded).toBeDefined();
    await rebuild(restored.log, restored.view, organizationView);
    await hashOf(restored.log, restored.view);
    expect(await namesIn(restored.log)).toEqual(['Acme']);
    await restored.close();
  });

  const files = ['events.db', 'documents.db', 'session-secret', 'checkpoint-key'];
  const damages: readonly (readonly [what: string, damage: (file: string) => void])[] = [
    ['is missing', (file) => rmSync(file)],
    ['was cut off', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['has one byte changed', changeOneByte],
  ];
  it.each(damages)(
    'makes a copy that verify and the server refuse if one file %s (U3)',
    async (_, damage) => {
      await charter.found('Acme');
      await charter.run(['backup', copy]);
      for (const name of files) {
        const one = `${copy}-${name}`;
        cpSync(copy, one, { recursive: true });
        damage(join(one, name));
        const { code, stdout, stderr } = await charter.run(['verify', '--all'], { CHARTER_DATA: one });
        expect({ code, said: stdout + stderr }).toEqual({ code: 1, said: expect.stringContaining(name) });
        await expect(asServer(one)).rejects.toThrow(name);
      }
    },
    60_000,
  );

  it('makes a copy that can be verified several times and then used', async () => {
    await charter.found('Acme');
    await charter.run(['backup', copy]);
    const settings = { CHARTER_DATA: copy };
    for (let time = 0; time < 2; time += 1) expect((await charter.run(['verify', '--all'], settings)).code).toBe(0);
    expect((await charter.run(['organization', 'found', '--name', 'Borg'], settings)).code).toBe(0);
    const restored = await asServer(copy);
    expect(await namesIn(restored.log)).toEqual(['Acme', 'Borg']);
    await restored.close();
  });

  it('makes a copy that a newer version, which migrates its tables, can verify and then use', async () => {
    await charter.found('Acme');
    for (const rest of ['', '-wal', '-shm']) rmSync(`${charter.documents}${rest}`, { force: true });
    const older = new DatabaseSync(charter.documents); // tables from before the first migration
    older.exec('PRAGMA journal_mode = WAL');
    older.close();
    await charter.run(['backup', copy]);
    expect(await charter.run(['verify', '--all'], { CHARTER_DATA: copy })).toMatchObject({ code: 0 });
    expect(existsSync(join(copy, 'backup.json'))).toBe(true);
    const restored = await asServer(copy);
    expect(await namesIn(restored.log)).toEqual(['Acme']);
    await restored.close();
  });

  it('makes a copy whose tables the previous version can use with the present events after an upgrade', async () => {
    await charter.found('Acme');
    await charter.run(['backup', copy]);
    await charter.found('Borg');
    const newer = new DatabaseSync(charter.documents);
    newer.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('999-of-a-newer-release', '')");
    newer.close();
    await expect(asServer(charter.data)).rejects.toThrow('from a newer version');

    for (const rest of ['', '-wal', '-shm']) rmSync(`${charter.documents}${rest}`, { force: true });
    cpSync(join(copy, 'documents.db'), charter.documents);
    const earlier = await asServer(charter.data);
    await catchUp(earlier.log, earlier.view);
    expect(await namesIn(earlier.log)).toEqual(['Acme', 'Borg']);
    await earlier.close();
    expect((await charter.run(['verify', '--all'])).code).toBe(0);
  });

  it('copies the embedded store if the other store is on a server', async () => {
    await charter.found('Acme');
    const secrets = {
      SESSION_SECRET: 'a secret of the specs, long enough',
      CHECKPOINT_KEY: Buffer.alloc(32).toString('base64'),
    };
    const onServer = {
      events: 'esdb://127.0.0.1:1?tls=false',
      tables: 'postgres://charter:secret@127.0.0.1:1/charter',
    };
    const backup = (name: string, settings: Record<string, string>) =>
      charter.run(['backup', join(charter.data, name)], { ...secrets, ...settings });
    const events = await backup('events', { DOCUMENTS: onServer.tables });
    const tables = await backup('tables', { EVENT_LOG: onServer.events });
    const neither = await backup('neither', { DOCUMENTS: onServer.tables, EVENT_LOG: onServer.events });
    expect([events.code, events.stdout]).toEqual([
      0,
      expect.stringMatching(/the events, but no tables\. .*\nBack up SESSION_SECRET and CHECKPOINT_KEY separately/),
    ]);
    expect([tables.code, tables.stdout]).toEqual([
      0,
      expect.stringMatching(/the tables, but no events\. .*\nBack up SESSION_SECRET and CHECKPOINT_KEY separately/),
    ]);
    expect([neither.code, neither.stderr]).toEqual([1, expect.stringContaining('first the tables, then the events')]);
    const filesIn = (name: string) => readdirSync(join(charter.data, name)).sort();
    expect([filesIn('events'), filesIn('tables')]).toEqual([
      ['backup.json', 'events.db'],
      ['backup.json', 'documents.db'],
    ]);
  });

  it('names a secret that comes from a setting, and also copies the secret files that the server may use', async () => {
    await charter.found('Acme');
    const { code, stdout } = await charter.run(['backup', copy], {
      SESSION_SECRET: 'a secret of the specs, long enough',
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('Back up SESSION_SECRET separately')]);
    expect(readdirSync(copy).sort()).toEqual([
      'backup.json',
      'checkpoint-key',
      'documents.db',
      'events.db',
      'session-secret',
    ]);
  });

  it('overwrites no existing folder', async () => {
    await charter.found('Acme');
    expect(await charter.json('backup', charter.data)).toMatchObject({ code: 1, answer: { status: 409 } });
    expect(existsSync(`${charter.data}.unfinished`)).toBe(false);
  });
});

function changeOneByte(file: string): void {
  const bytes = readFileSync(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle]! ^= 1;
  writeFileSync(file, bytes);
}
