import type { Database } from './database';
import { databases, type TestDatabase } from './database.testing';

describe.each(databases)('Signed heads in %s', (_database, make) => {
  let place: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    place = await make();
    database = await place.open();
  });
  afterEach(async () => {
    await database.close();
    await place.remove();
  });
  const head = (stream: string, events: number) => ({ stream, events, head: `${stream}/${events}` });

  it('are stored with the note that signs them, and are read page by page in the order of their stream names', async () => {
    const { signedHeads } = database;
    expect(await signedHeads.note()).toBeUndefined();
    const many = Array.from({ length: 300 }, (_, index) => head(`key-${String(index).padStart(3, '0')}`, index));
    expect(await signedHeads.sign('first', [head('b', 2), ...many, head('Z', 1)], { from: undefined })).toBe(true);
    expect(await signedHeads.note()).toBe('first');
    expect(await signedHeads.of('b')).toEqual(head('b', 2));
    expect(await signedHeads.of('c')).toBeUndefined();
    expect(await signedHeads.page('', 3)).toEqual([head('Z', 1), head('b', 2), many[0]]);
    expect(await signedHeads.page('key-298', 10)).toEqual([many[299]]);
  });

  it('are replaced one by one or, with `anew`, all together', async () => {
    const { signedHeads } = database;
    await signedHeads.sign('first', [head('a', 1), head('b', 1)], { from: undefined });
    expect(await signedHeads.sign('second', [head('b', 3), head('c', 1)], { from: 'first' })).toBe(true);
    expect(await signedHeads.page('', 9)).toEqual([head('a', 1), head('b', 3), head('c', 1)]);
    expect(await signedHeads.sign('third', [head('c', 2)], { from: 'second', anew: true })).toBe(true);
    expect(await signedHeads.page('', 9)).toEqual([head('c', 2)]);
  });

  it('stay unchanged when another signer has already replaced the note', async () => {
    const { signedHeads } = database;
    const other = await place.open();
    await signedHeads.sign('first', [head('a', 1)], { from: undefined });
    expect(await other.signedHeads.sign('mine', [head('a', 9)], { from: undefined })).toBe(false);
    expect(await other.signedHeads.sign('mine', [head('a', 9)], { from: 'older' })).toBe(false);
    expect(await other.signedHeads.note()).toBe('first');
    expect(await other.signedHeads.page('', 9)).toEqual([head('a', 1)]);
    await other.close();
  });
});
