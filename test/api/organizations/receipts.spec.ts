import { hash } from 'node:crypto';
import { founded, path } from '../../support/requests/organizations';
import { type Served, serving } from '../../support/serving';
import { onTables } from '../../support/stores/tables';

/** The stored hashes of request bodies. Charter compares them with the hashes of later requests' bodies. */
async function hashesIn(served: Served): Promise<readonly string[]> {
  const rows = await onTables(served, 'select body_hash from receipts');
  return rows.map(({ body_hash }) => String(body_hash));
}

describe('U6: Stored hash of a request body', () => {
  it('cannot be guessed from the body, and differs between installations', async () => {
    const body = { email: 'ada@people.example', role: 'member' };
    const hashes = [];
    for (const served of [await serving(), await serving()]) {
      const key = await served.key();
      const id = await founded(served, { by: key });
      const ask = (sent: object) =>
        served.ask('POST', path(id, '/members'), { key, body: sent, headers: { 'Idempotency-Key': 'one' } });
      expect([(await ask(body)).status, (await ask(body)).status]).toEqual([201, 201]);
      expect((await ask({ ...body, email: 'eve@people.example' })).status).toBe(422);
      const guess = hash('sha256', JSON.stringify(['POST', path(id, '/members'), body]));
      const stored = await hashesIn(served);
      expect(stored).toHaveLength(1); // only one request had an Idempotency-Key
      expect(stored).not.toContain(guess);
      hashes.push(...stored);
      await served.close();
    }
    expect(new Set(hashes).size).toBe(2);
  });
});
