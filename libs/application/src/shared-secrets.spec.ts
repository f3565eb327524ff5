import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@charter/database';
import { shareSecrets } from './shared-secrets';

const settings = (letter: string) => ({
  sessionSecret: letter.repeat(32),
  checkpointKey: Buffer.alloc(32, letter),
  data: '',
});

describe('Secrets of processes that share their stores', () => {
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

  it('are needed by the command line if no file contains them, and are not replaced by new files', async () => {
    const unset = { ...settings('a'), sessionSecret: undefined, data: folder };
    await expect(shareSecrets(database, unset, 'beside')).rejects.toThrow(
      /^SESSION_SECRET is not set here, and no file/,
    );
    const keyless = { ...settings('a'), checkpointKey: undefined, data: folder };
    await expect(shareSecrets(database, keyless, 'beside')).rejects.toThrow(/^CHECKPOINT_KEY is not set here, and no/);
    expect(readdirSync(folder).filter((name) => !name.startsWith('documents.db'))).toEqual([]);
  });

  it('are accepted from the files of the data folder, and refused if the files contain other secrets', async () => {
    const inFiles = { sessionSecret: undefined, checkpointKey: undefined, data: folder };
    await shareSecrets(database, inFiles, 'server');
    await shareSecrets(database, inFiles, 'beside');
    writeFileSync(join(folder, 'checkpoint-key'), randomBytes(32).toString('base64'));
    await expect(shareSecrets(database, inFiles, 'beside')).rejects.toThrow(/^CHECKPOINT_KEY differs from the secret/);
  });

  it('may be changed at once if no other server can use the stores, although a lease remains after a crash', async () => {
    await database.lease('projections').hold();
    await shareSecrets({ marks: database.marks }, settings('b'), 'server');
    await shareSecrets(database, settings('b'), 'beside');
  });

  it('are accepted when they are equal', async () => {
    await database.lease('projections').hold();
    await shareSecrets(database, settings('a'), 'server');
    await shareSecrets(database, settings('a'), 'beside');
  });

  it('are refused when one secret differs; the error names the setting of this secret', async () => {
    await database.lease('outbox').hold();
    await expect(shareSecrets(database, settings('b'), 'server')).rejects.toThrow(
      /^SESSION_SECRET differs from the secret/,
    );
    const other = { ...settings('a'), checkpointKey: Buffer.alloc(32, 'b') };
    await expect(shareSecrets(database, other, 'server')).rejects.toThrow(/^CHECKPOINT_KEY differs from the secret/);
  });

  it('may be changed when no other server runs and a server starts, but never by the command line', async () => {
    await expect(shareSecrets(database, settings('b'), 'beside')).rejects.toThrow(
      /^SESSION_SECRET differs .* If you have replaced the secret, first start one server with the new secret\.$/,
    );
    await shareSecrets(database, settings('b'), 'server');
    await shareSecrets(database, settings('b'), 'beside');
    await expect(shareSecrets(database, settings('a'), 'beside')).rejects.toThrow('SESSION_SECRET');
  });
});
