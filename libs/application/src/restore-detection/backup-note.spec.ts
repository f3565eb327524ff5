import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '@charter/settings';
import { emptyBackupNote, renewBackupNote, verifyBackupNote, writeBackupNote } from './backup-note';

const data = mkdtempSync(join(tmpdir(), 'charter-note-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

describe('Note of a backup', () => {
  it('is replaced as a whole when Charter empties it, so that a crash leaves no half of it', () => {
    const [note, former] = [join(data, 'backup.json'), join(data, 'former')];
    const settings = parseSettings({ CHARTER_DATA: data });
    writeFileSync(join(data, 'events.db'), 'events');
    writeBackupNote(data);
    linkSync(note, former);
    const hashes = readFileSync(former, 'utf8');
    writeFileSync(join(data, 'events.db'), 'migrated events');
    expect(() => verifyBackupNote(settings)).toThrow('differs');
    renewBackupNote(settings);
    verifyBackupNote(settings);
    const renewed = readFileSync(former, 'utf8');
    emptyBackupNote(settings);
    expect([readFileSync(former, 'utf8'), JSON.parse(readFileSync(note, 'utf8'))]).toEqual([renewed, { files: {} }]);
    expect([renewed === hashes, readdirSync(data).sort()]).toEqual([false, ['backup.json', 'events.db', 'former']]);
  });

  it('applies to the stores that the settings name', () => {
    const [folder, elsewhere] = [join(data, 'main'), join(data, 'elsewhere')];
    const names = ['events.db', 'documents.db'] as const;
    const [eventLog, documents] = names.map((name) => join(elsewhere, name)) as [string, string];
    for (const made of [folder, elsewhere]) {
      mkdirSync(made);
      for (const name of names) writeFileSync(join(made, name), name);
    }
    writeBackupNote(folder);
    for (const name of names) rmSync(join(folder, name));
    const settings = parseSettings({
      CHARTER_DATA: folder,
      EVENT_LOG: `sqlite:${eventLog}`,
      DOCUMENTS: `sqlite:${documents}`,
    });
    verifyBackupNote(settings);
    renewBackupNote(settings);
    writeFileSync(documents, 'tables in use');
    expect(() => verifyBackupNote(settings)).toThrow(`${documents} differs`);
    expect(() => verifyBackupNote(settings)).toThrow('replace the content of backup.json by {"files":{}}');
  });
});
