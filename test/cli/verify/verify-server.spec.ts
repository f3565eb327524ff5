import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { type Charter, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { SigningRefused, signWholeLog, verifyAllChains } from '@charter/application';
import { type Facade, runningFacade } from '../../facade/running';
import { withFaults } from '../../support/stores/faults';
import { secrets } from '../../support/secrets';
import { found } from '../command-line';

const folder = mkdtempSync(join(tmpdir(), 'charter-verify-'));
const account = randomUUID();
const trail = `account-${account}`;
let facade: Facade;
let charter: Charter;
let acme: string;
beforeAll(async () => {
  facade = await runningFacade();
  const settings = parseSettings({ ...secrets, CHARTER_DATA: folder, EVENT_LOG: facade.url });
  charter = await openCharter(settings, 'beside', () => undefined);
  acme = await found(charter, 'Acme', 'teams');
  const by = {
    actor: { kind: 'system', id: 'spec', powers: [] },
    at: new Date().toISOString(),
    correlation: acme,
  } as const;
  await charter.trail.record({ account }, { type: 'PasswordResetRequested', data: {} }, by);
  await charter.trail.record({ account }, { type: 'PasswordChanged', data: {} }, by);
}, 60_000);
afterAll(async () => {
  await charter.close();
  rmSync(folder, { recursive: true });
});

const verified = () => verifyAllChains(charter, () => () => undefined);

describe('Verification of the events on an EventStoreDB server', () => {
  it('checks the hash chains of organizations and accounts', async () => {
    expect(await verified()).toMatchObject({ organizations: 1, trails: 1, events: 4, broken: [] });
  });

  it('confirms the signed checkpoint of all chains; signing a second checkpoint reads only the events since the first', async () => {
    const at = new Date().toISOString();
    const first = await signWholeLog(charter, { at });
    expect(first?.checkpoint).toMatchObject({ events: 4, root: (await verified()).head });
    await found(charter, 'Signed');
    let followed = 0;
    const second = await signWholeLog(charter, { at, onEvents: (events) => void (followed = events) });
    expect([followed, second?.checkpoint.events]).toEqual([1, 5]);
    expect(await verified()).toMatchObject({ broken: [], signed: second!.checkpoint });
    const rootless = { ...charter, log: withFaults(charter.log, { identity: () => Promise.resolve('another') }) };
    await expect(signWholeLog(rootless, { at })).rejects.toThrow(SigningRefused);
  });

  it.each([
    ['an organization', () => `organization-${acme}`, () => ({ organization: acme })],
    ['an account', () => trail, () => ({ stream: trail })],
  ])(
    'finds an event that another tool appended to the stream of %s without continuing its hash chain',
    async (_, stream, called) => {
      const name = stream();
      let revision = -1n;
      for await (const event of charter.log.readStream(name, { direction: 'backwards', maxCount: 1 }))
        revision = event.revision;
      const forged = { id: randomUUID(), type: 'Forged', data: {}, metadata: { hash: '0'.repeat(64) } };
      await charter.log.append(name, [forged], { expected: revision });
      const { broken } = await verified();
      expect(broken).toContainEqual({ ...called(), at: Number(revision) + 1, reason: expect.any(String) as string });
    },
  );

  it('finds streams whose settings make the server drop events, even an old stream', async () => {
    const old = await found(charter, 'Old');
    // more streams than Charter checks when it starts
    for (let index = 0; index < 30; index += 1) await found(charter, `New ${index}`);
    const outside = EventStoreDBClient.connectionString(facade.url);
    await outside.setStreamMetadata(`organization-${old}`, { maxAge: 60 });
    await outside.setStreamMetadata(trail, { truncateBefore: 1 });
    await outside.dispose();
    const { broken } = await verified();
    expect(broken).toContainEqual(
      expect.objectContaining({
        organization: old,
        reason: expect.stringMatching(/drops events of this stream: \$maxAge/) as string,
      }),
    );
    expect(broken).toContainEqual(
      expect.objectContaining({
        stream: trail,
        reason: expect.stringMatching(/drops events of this stream: \$tb/) as string,
      }),
    );
  });
});
