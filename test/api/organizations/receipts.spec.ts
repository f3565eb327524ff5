import { hash } from 'node:crypto';
import { founded, path } from '../../support/requests/organizations';
import { type Served, serving } from '../../support/serving';
import { onTables } from '../../support/stores/tables';

/** What is kept to compare later requests by. */
async function marksIn(served: Served): Promise<readonly string[]> {
  const rows = await onTables(served, 'select body_hash from receipts');
  return rows.map(({ body_hash }) => String(body_hash));
}

describe('U6: what a receipt keeps of a body', () => {
  it('says nothing to whoever guesses the body, and differs from one installation to the next', async () => {
    const body = { email: 'ada@people.example', role: 'member' };
    const marks = [];
    for (const served of [await serving(), await serving()]) {
      const key = await served.key();
      const id = await founded(served, { by: key });
      const ask = (asked: object) =>
        served.ask('POST', path(id, '/members'), { key, body: asked, headers: { 'Idempotency-Key': 'one' } });
      expect([(await ask(body)).status, (await ask(body)).status]).toEqual([201, 201]);
      expect((await ask({ ...body, email: 'eve@people.example' })).status).toBe(422);
      const guess = hash('sha256', JSON.stringify(['POST', path(id, '/members'), body]));
      const kept = await marksIn(served);
      expect(kept).toHaveLength(1); // the one key that was used
      expect(kept).not.toContain(guess);
      marks.push(...kept);
      await served.close();
    }
    expect(new Set(marks).size).toBe(2);
  });
});
