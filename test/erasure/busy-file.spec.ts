import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { erasuresFolder, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { testAccount } from '../../libs/database/src/people/people.testing';
import { replayMissedErasures } from '../../apps/api/src/process/restore-detection';
import { CommandLine, ended, eventually } from '../cli/command-line';
import { killedAfterSpecs } from '../support/children';
import { PASSWORD, person, signedIn } from '../support/sign-in/people';
import { newFolder, type Served, serving } from '../support/serving';
import { bytesOf, personalTexts, personalTextsIn } from './personal-texts';

const environment = { RATE_LIMITS: 'off' };
const { name, email } = personalTexts;

/**
 * A process that reads the tables. Until this process ends, no other connection can empty the write-ahead log. A
 * connection in the spec's own process would lose its lock as soon as the spec reads the bytes of the file.
 */
async function readerOf(folder: string): Promise<{ close: () => Promise<void> }> {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const reader = new DatabaseSync(process.argv[1], { readOnly: true });
    reader.exec('BEGIN; SELECT count(*) FROM accounts');
    process.stdin.on('end', () => reader.close()).resume();
    process.stdout.write('reading');`;
  const child = killedAfterSpecs(spawn(process.execPath, ['-e', script, join(folder, 'documents.db')]));
  await once(child.stdout, 'data');
  const exited = once(child, 'exit');
  return {
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

const certificatesIn = (folder: string): readonly string[] =>
  existsSync(erasuresFolder(folder)) ? readdirSync(erasuresFolder(folder)) : [];
const textsIn = (folder: string) => personalTextsIn(bytesOf(folder));
const warnings = ({ entries }: Served) => entries().map(({ msg }) => String(msg));

describe('U6: Certificate of an erasure while another connection reads the tables', () => {
  const folders: string[] = [];
  const newService = () => {
    folders.push(newFolder());
    return serving({ folder: folders.at(-1)!, environment });
  };
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  it('is refused to an operator while a file contains data of the person; later the same request returns the certificate', async () => {
    const served = await newService();
    const ada = await person(served, { name, email });
    const operator = await signedIn(served, await person(served, { role: 'operator' }));
    const reader = await readerOf(served.folder);
    const erase = () => operator.send('POST', `/api/v1/accounts/${ada.id}/erase`, { password: PASSWORD });
    const refused = await erase();
    expect([refused.status, refused.body.type, refused.body.certificate]).toEqual([
      503,
      '/problems/erased-data-remains',
      undefined,
    ]);
    expect(refused.body.detail).toContain('write-ahead log of');
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect((await served.charter.database.people.accounts.byId(ada.id))!.state).toBe('erased');
    expect([textsIn(served.folder).length > 0, certificatesIn(served.folder)]).toEqual([true, []]);
    await reader.close();
    const { status, body } = await erase();
    expect([textsIn(served.folder), status, body.remains]).toEqual([[], 200, null]);
    expect(readFileSync(join(erasuresFolder(served.folder), `${ada.id}.erasure`), 'utf8')).toBe(body.certificate);
    await served.stop();
  }, 30_000);

  it('is refused to a person who closes their own account; Charter stores the certificate after the reading process has ended', async () => {
    const served = await newService();
    const ada = await signedIn(served, await person(served, { name, email }));
    const reader = await readerOf(served.folder);
    const refused = await ada.send('POST', '/api/v1/me/close', { password: PASSWORD });
    expect([refused.status, refused.body.type]).toEqual([503, '/problems/erased-data-remains']);
    expect(refused.headers['clear-site-data']).toBe('"cache", "storage"');
    expect((await ada.get('/api/v1/me')).status).toBe(401);

    await replayMissedErasures(served.runtime);
    expect([certificatesIn(served.folder), textsIn(served.folder).length > 0]).toEqual([[], true]);
    expect(warnings(served).filter((text) => text.includes('have no certificate yet'))).toHaveLength(1);
    await reader.close();
    await replayMissedErasures(served.runtime);
    expect([certificatesIn(served.folder).length, textsIn(served.folder)]).toEqual([1, []]);
    await served.stop();
  }, 30_000);

  it('is not stored by the next process after a crash while the reader still runs; a later process purges the files and stores it', async () => {
    const charter = new CommandLine();
    const ada = testAccount({ name, email });
    const here = await openCharter(parseSettings({ CHARTER_DATA: charter.data }), 'beside');
    await here.database.people.accounts.insert(ada);
    const reader = await readerOf(charter.data);
    const erasing = charter.start(['accounts', 'erase', ada.id, '--yes']);
    await eventually(async () => (await here.database.people.accounts.byId(ada.id))!.state === 'erased');
    erasing.kill('SIGKILL');
    expect((await ended(erasing)).signal).toBe('SIGKILL');
    expect([certificatesIn(charter.data), textsIn(charter.data).length > 0]).toEqual([[], true]);

    const busy = await serving({ folder: charter.data, environment });
    // at first, the read model is behind the log
    await eventually(async () => (await busy.ask('GET', '/health/ready')).status === 200);
    expect([certificatesIn(charter.data), textsIn(charter.data).length > 0]).toEqual([[], true]);
    expect(warnings(busy).filter((text) => text.includes('have no certificate yet'))).toHaveLength(1);
    await busy.stop();
    expect([certificatesIn(charter.data), textsIn(charter.data).length > 0]).toEqual([[], true]);

    await reader.close();
    const free = await serving({ folder: charter.data, environment });
    expect([certificatesIn(charter.data), textsIn(charter.data)]).toEqual([[`${ada.id}.erasure`], []]);
    await free.stop();
    await here.close();
    charter.remove();
  }, 60_000);

  it('is refused by the command line with exit code 1; a repeated command prints it after the end of the reading process', async () => {
    const charter = new CommandLine();
    const ada = testAccount({ name, email });
    await charter.inside(({ database }) => database.people.accounts.insert(ada));
    const reader = await readerOf(charter.data);
    const erase = () => charter.json('accounts', 'erase', ada.id, '--yes');
    const refused = await erase();
    expect([refused.code, refused.answer.type, refused.answer.certificate]).toEqual([
      1,
      '/problems/erased-data-remains',
      undefined,
    ]);
    expect(refused.answer.detail).toMatch(new RegExp(`: charter accounts erase ${ada.id}$`));
    expect([certificatesIn(charter.data), textsIn(charter.data).length > 0]).toEqual([[], true]);
    const out = join(charter.data, 'out');
    const written = await charter.json('accounts', 'certificates', '--out', out);
    expect([written.code, written.answer.type, existsSync(out)]).toEqual([1, refused.answer.type, false]);
    mkdirSync(out);
    const certificate = await charter.inside(({ certificates }) => certificates.of(ada.id));
    writeFileSync(join(out, 'ada'), certificate!);
    const replayed = await charter.json('accounts', 'erase', '--replay', out);
    expect([replayed.code, replayed.answer.ok, replayed.answer.certificates[0].outcome]).toEqual([
      1,
      false,
      'erased before',
    ]);
    expect(replayed.answer.remains).toContain('write-ahead log of');
    expect(certificatesIn(charter.data)).toEqual([]);
    await reader.close();
    const { code, answer } = await erase();
    expect([code, answer.remains, textsIn(charter.data)]).toEqual([0, null, []]);
    expect(readFileSync(join(erasuresFolder(charter.data), `${ada.id}.erasure`), 'utf8')).toBe(answer.certificate);
    charter.remove();
  }, 30_000);
});
