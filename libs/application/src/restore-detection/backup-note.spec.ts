import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
});
