import type crypto from 'node:crypto';
import { createHmac, randomUUID } from 'node:crypto';
import type { KeyRecord } from '@charter/identity';
import type { FlagSubject } from '@charter/organization-view';
import { createFlagTickets } from './flag-tickets';

jest.mock('node:crypto', () => {
  const original = jest.requireActual<Pick<typeof crypto, 'createHmac'>>('node:crypto');
  return { ...original, createHmac: jest.fn(original.createHmac) };
});

const acme: FlagSubject = { organization: randomUUID(), kind: 'organization' };

it('The repeated checks of a ticket read its key each time, and check its signature once', async () => {
  const key = { id: randomUUID(), scopes: ['flags:read'], expires: undefined, revoked: undefined };
  const byIds = jest.fn<Promise<readonly KeyRecord[]>, []>().mockResolvedValue([key as unknown as KeyRecord]);
  const tickets = createFlagTickets({
    database: { keys: { byIds }, people: { accounts: {} } },
    keyFor: () => Buffer.alloc(32),
    now: Date.now,
  } as unknown as Parameters<typeof createFlagTickets>[0]);
  const holder = { actor: { kind: 'key', id: key.id, powers: ['flags:read'] } } as const;
  const { ticket } = tickets.issue(holder, acme);

  const identify = tickets.createIdentify(ticket);
  jest.mocked(createHmac).mockClear();
  for (let check = 0; check < 3; check += 1) await identify();
  expect([jest.mocked(createHmac).mock.calls.length, byIds.mock.calls.length]).toEqual([0, 3]);
  byIds.mockResolvedValue([]);
  await expect(identify()).rejects.toMatchObject({ status: 401 });
});
