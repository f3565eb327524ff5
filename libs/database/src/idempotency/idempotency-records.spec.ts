import type { Database } from '../database';
import { databases, type TestDatabase } from '../database.testing';

describe.each(databases)('Idempotency records in %s', (_database, make) => {
  let place: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    place = await make();
    database = await place.open();
  });
  afterAll(async () => {
    await database.close();
    await place.remove();
  });
  const receipts = () => Promise.resolve(database.receipts);
  const answer = { status: 201, headers: { etag: '"4"', location: '/x' }, body: '{"id":"é"}' };

  it('store each answer unchanged; a process that starts later reads the same answer', async () => {
    const { claim, answer: give } = await receipts();
    expect(await claim('k1', 'b1')).toEqual({ kind: 'new' });
    expect(await claim('k1', 'b1')).toMatchObject({ kind: 'unanswered' });
    expect(await claim('k1', 'b2')).toEqual({ kind: 'other-body' });
    await give('k1', answer);
    expect(await claim('k1', 'b1')).toEqual({ kind: 'answered', answer });

    const later = await place.open();
    expect(await later.receipts.claim('k1', 'b1')).toEqual({ kind: 'answered', answer });
    expect(await later.receipts.claim('k1', 'b2')).toEqual({ kind: 'other-body' });
    await later.close();
  });

  it('store an answer without a body, for example a 204', async () => {
    const { claim, answer: give, withdraw } = await receipts();
    const empty = { status: 204, headers: {}, body: '' };
    await claim('k-empty', 'b');
    await give('k-empty', empty);
    expect(await claim('k-empty', 'b')).toEqual({ kind: 'answered', answer: empty });
    await withdraw('k-empty');
    expect(await claim('k-empty', 'b')).toEqual({ kind: 'answered', answer: empty });
  });

  it('are answered if an earlier release stored a 204 with the body NULL', async () => {
    await place.run(`insert into receipts (key, body_hash, claimed, status, headers, body, answered)
      values ('k-old', 'b', '2026-11-21T10:00:00.000Z', 204, '{}', null, '2026-11-21T10:00:00.000Z')`);
    const { claim } = await receipts();
    const answered = { kind: 'answered', answer: { status: 204, headers: {}, body: '' } };
    expect(await claim('k-old', 'b')).toEqual(answered);
    expect(await claim('k-old', 'other')).toEqual({ kind: 'other-body' });
  });

  it('keep the first answer when the caller later stores another answer or withdraws the claim', async () => {
    const { claim, answer: give, withdraw } = await receipts();
    await claim('k2', 'b');
    await give('k2', answer);
    await give('k2', { ...answer, status: 409 });
    await withdraw('k2');
    expect(await claim('k2', 'b')).toEqual({ kind: 'answered', answer });
  });

  it('free the idempotency key when the caller withdraws the claim', async () => {
    const { claim, withdraw } = await receipts();
    await claim('k3', 'b');
    await withdraw('k3');
    expect(await claim('k3', 'other')).toEqual({ kind: 'new' });
  });

  it('allow only one of a hundred simultaneous requests with the same key', async () => {
    const { claim } = await receipts();
    const kinds = await Promise.all(Array.from({ length: 100 }, (_, n) => claim('k4', n === 50 ? 'other' : 'b')));
    expect(kinds.filter(({ kind }) => kind === 'new')).toHaveLength(1);
    expect(kinds.filter(({ kind }) => kind === 'unanswered')).toHaveLength(98);
    expect(kinds[50]).toEqual({ kind: 'other-body' });
  });

  it('keep three hundred simultaneous answers separate', async () => {
    const { claim, answer: give } = await receipts();
    const keys = Array.from({ length: 300 }, (_, n) => `many-${n}`);
    expect((await Promise.all(keys.map((key) => claim(key, key)))).every(({ kind }) => kind === 'new')).toBe(true);
    await Promise.all(keys.map((key) => give(key, { ...answer, body: key })));
    const again = await Promise.all(keys.map((key) => claim(key, key)));
    expect(again.map((each) => each.kind === 'answered' && each.answer.body)).toEqual(keys);
  });
});
