import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@charter/database';
import { shareSecrets } from './shared-secrets';

const settings = (letter: string) => ({
  sessionSecret: letter.repeat(32),
  checkpointKey: Buffer.alloc(32, letter),
  data: '',
});

describe('Processes with shared stores', () => {
  let folder: string;
  let database: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'charter-secrets-'));
    database = await openDatabase({ file: join(folder, 'documents.db') });
    await shareSecrets(database, settings('a'), 'server');
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('start with the same secrets', async () => {
    await database.lease('projections').hold();
    await shareSecrets(database, settings('a'), 'server');
    await shareSecrets(database, settings('a'), 'beside');
  });

  it('refuse to start with another secret, and name the setting', async () => {
    await database.lease('outbox').hold();
    await expect(shareSecrets(database, settings('b'), 'server')).rejects.toThrow(
      /^SESSION_SECRET differs from the secret/,
    );
    const other = { ...settings('a'), checkpointKey: Buffer.alloc(32, 'b') };
    await expect(shareSecrets(database, other, 'server')).rejects.toThrow(/^CHECKPOINT_KEY differs from the secret/);
  });

  it('may change secrets when all have stopped, but never by the command line', async () => {
    await expect(shareSecrets(database, settings('b'), 'beside')).rejects.toThrow('SESSION_SECRET');
    await shareSecrets(database, settings('b'), 'server');
    await shareSecrets(database, settings('b'), 'beside');
    await expect(shareSecrets(database, settings('a'), 'beside')).rejects.toThrow('SESSION_SECRET');
  });
});
