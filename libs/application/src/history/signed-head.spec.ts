import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, type SignedHead, type SignedHeads } from '@charter/database';
import { ALL_STREAMS, rootOf, signCheckpoint, signerOf } from '@charter/integrity';
import { tampered } from '../../../../test/support/stores/tampering';
import { SignedHeadsInvalid } from './signed-checkpoints';
import { signedStreamOf } from './signed-head';

const signer = signerOf('charter', Buffer.alloc(32, 1));
const nameOf = (index: number) => `account-${String(index).padStart(5, '0')}`;
const headOf = (index: number, head = 'a'): SignedHead => ({ stream: nameOf(index), events: 2, head: head.repeat(64) });
const MANY = 1_800;

let folder: string;
let database: Database;
let sizes: number[];
let heads: SignedHead[];
let note: string | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'charter-signed-'));
  const opened = await openDatabase({ file: join(folder, 'documents.db') });
  sizes = [];
  const signedHeads: SignedHeads = {
    ...opened.signedHeads,
    page: (after, size) => {
      sizes.push(size);
      return opened.signedHeads.page(after, size);
    },
  };
  database = { ...opened, signedHeads };
  heads = Array.from({ length: MANY }, (_, index) => headOf(2 * index));
  note = undefined;
  await signed(heads);
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

async function signed(changed: readonly SignedHead[], day = 1): Promise<void> {
  const events = heads.reduce((sum, head) => sum + head.events, 0);
  const at = `2026-11-0${day}T00:00:00.000Z`;
  const checkpoint = { store: 'store', events, root: rootOf(heads), covers: ALL_STREAMS, position: '0'.repeat(20), at };
  const next = signCheckpoint(checkpoint, signer);
  expect(await database.signedHeads.sign(next, changed, { from: note })).toBe(true);
  note = next;
}

const headFrom = async (index: number) => (await signedStreamOf({ database, signer }, nameOf(index)))?.head;
const file = () => join(folder, 'documents.db');

describe('Last signed head of one stream', () => {
  it('is verified at the first call, which reads all heads; later calls read one page at most', async () => {
    expect(await headFrom(0)).toEqual(headOf(0));
    sizes = [];
    for (const index of [0, 998, 1_000, 2 * MANY - 2]) expect(await headFrom(index)).toEqual(headOf(index));
    for (const index of [1, 999, 2 * MANY - 1]) expect(await headFrom(index)).toBeUndefined();
    expect(sizes.length).toBeLessThanOrEqual(7);
    expect(await signedStreamOf({ database, signer }, 'zebra')).toMatchObject({ head: undefined });
  });

  it('is verified anew after Charter signs another checkpoint', async () => {
    await headFrom(0);
    heads[7] = headOf(14, 'b');
    await signed([heads[7]], 2);
    expect(await headFrom(14)).toEqual(headOf(14, 'b'));
    expect(await signedStreamOf({ database, signer }, nameOf(0))).toMatchObject({
      checkpoint: { at: '2026-11-02T00:00:00.000Z' },
    });
  });

  it.each([
    ['was changed', 'UPDATE signed_heads SET events = 1 WHERE stream = ?', nameOf(1_200)],
    ['was deleted', 'DELETE FROM signed_heads WHERE stream = ?', nameOf(1_200)],
    ['was added', `INSERT INTO signed_heads (stream, events, head) VALUES (?, 1, 'x')`, nameOf(1_199)],
  ])('becomes invalid when its row in the table %s, even if it was verified before', async (_, sql, stream) => {
    const at = Number(stream.slice(-5));
    await headFrom(at);
    tampered(file(), sql, stream);
    await expect(headFrom(at)).rejects.toThrow(SignedHeadsInvalid);
    await expect(headFrom(at)).rejects.toThrow(/its stored heads were changed/);
  });

  it('is invalid while any other head is wrong, and is valid again after the repair of that head', async () => {
    tampered(file(), 'UPDATE signed_heads SET events = 0 WHERE stream = ?', nameOf(2_000));
    await expect(headFrom(0)).rejects.toThrow(SignedHeadsInvalid);
    tampered(file(), 'UPDATE signed_heads SET events = 2 WHERE stream = ?', nameOf(2_000));
    expect(await headFrom(0)).toEqual(headOf(0));
  });

  it('is invalid if its note is signed with another key, even if it was verified before', async () => {
    await headFrom(0);
    const other = signerOf('charter', Buffer.alloc(32, 2));
    await expect(signedStreamOf({ database, signer: other }, nameOf(0))).rejects.toThrow(SignedHeadsInvalid);
  });
});
