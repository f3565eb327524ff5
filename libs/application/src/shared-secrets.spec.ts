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

describe('processes that share their stores', () => {
  let folder: string;
  let documents: Database;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'charter-secrets-'));
    documents = await openDatabase({ file: join(folder, 'documents.db') });
    await shareSecrets(documents, settings('a'), 'server');
  });
  afterEach(async () => {
    await documents.close();
    rmSync(folder, { recursive: true });
  });

  it('share their secrets', async () => {
    await documents.lease('projections').hold();
    await shareSecrets(documents, settings('a'), 'server');
    await shareSecrets(documents, settings('a'), 'beside');
  });

  it('or the second does not start, and hears which setting it is', async () => {
    await documents.lease('outbox').hold();
    await expect(shareSecrets(documents, settings('b'), 'server')).rejects.toThrow(/^SESSION_SECRET is not the one/);
    const other = { ...settings('a'), checkpointKey: Buffer.alloc(32, 'b') };
    await expect(shareSecrets(documents, other, 'server')).rejects.toThrow(/^CHECKPOINT_KEY is not the one/);
  });

  it('once all have stopped, the first that starts brings others; the command line never does', async () => {
    await expect(shareSecrets(documents, settings('b'), 'beside')).rejects.toThrow('SESSION_SECRET');
    await shareSecrets(documents, settings('b'), 'server');
    await shareSecrets(documents, settings('b'), 'beside');
    await expect(shareSecrets(documents, settings('a'), 'beside')).rejects.toThrow('SESSION_SECRET');
  });
});
