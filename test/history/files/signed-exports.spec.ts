import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { organizationStream } from '@charter/organization';
import { exportWholeLog, exportOrganization, replayAccountChanges } from '@charter/application';
import type { CommandLine } from '../../cli/command-line';
import { path } from '../../support/requests/organizations';
import { serving } from '../../support/serving';
import { cutOff, tampered } from '../../support/stores/tampering';
import { rewritten } from './rewriting';
import { signed, signedAt, twoOrganizations } from '../two-organizations';

let stores: CommandLine;
let acme: string;
let borg: string;
twoOrganizations((...made) => ([stores, acme, borg] = made));
beforeEach(() => stores.inside(signed));

/**
 * Checks that the export of the organization is refused, and that the export of the whole log fails before its
 * signature.
 */
async function withheld(at: number, reason: RegExp): Promise<void> {
  const why = { stream: organizationStream(acme), at, reason: expect.stringMatching(reason) as string };
  await stores.inside(async (charter) => {
    const one = exportOrganization(charter, acme, signedAt, new AbortController().signal);
    await expect(one.next()).rejects.toMatchObject(why);
    await expect(readThrough(exportWholeLog(charter, signedAt, () => undefined))).rejects.toMatchObject(why);
  });
}

async function readThrough(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) expect(line).not.toContain('checkpoint');
}

/** Checks that each kind of export is refused for the same reason, and leaves no file. */
async function refused(answer: object, id = acme): Promise<void> {
  const out = join(stores.data, 'out');
  for (const words of [[id], ['--all']]) {
    expect(await stores.json('export', ...words, '--out', out)).toMatchObject({ code: 1, answer });
    expect(readdirSync(stores.data).filter((name) => name.startsWith('out'))).toEqual([]);
  }
  const served = await serving({ folder: stores.data });
  const key = await served.key();
  const exported = await served.ask('GET', path(id, '/export'), { key });
  expect({ ...exported.body, reason: exported.body.why as string }).toMatchObject(answer);
  expect([exported.status, exported.text.includes('specversion')]).toEqual([500, false]);
  await served.stop();
}

const broken = (at: number, reason: RegExp) => ({
  type: '/problems/broken-chain',
  at,
  reason: expect.stringMatching(reason) as string,
});

describe('After a checkpoint was signed, an export is refused', () => {
  it('of a stream whose last events are missing', async () => {
    cutOff(stores.events, organizationStream(acme), 2);
    await refused(broken(2, /its end is missing: 3 events were signed/));
  }, 30_000);

  it('of a stream that is missing completely', async () => {
    cutOff(stores.events, organizationStream(acme), 0);
    await withheld(0, /its end is missing: 3 events were signed/);
  });

  it('of a stream that was rewritten with a valid chain and made longer', async () => {
    rewritten(stores.events, organizationStream(acme), 5);
    await withheld(2, /not the event that was signed/);
  });

  it('if the stored checkpoint was changed to match the damaged stream', async () => {
    cutOff(stores.events, organizationStream(acme), 2);
    tampered(stores.documents, 'DELETE FROM signed_heads WHERE stream = ?', organizationStream(acme));
    const reason = expect.stringMatching(/is invalid: its stored heads were changed/) as string;
    await refused({ type: '/problems/not-believed', reason });
  }, 30_000);
});

describe('If the newest events are not yet signed, an export is refused', () => {
  const cut = 'its end is missing: 4 events of this stream were seen before';

  it('of a stream that has fewer events than the read model has folded', async () => {
    await stores.plan(acme, 'solo');
    await stores.plan(borg, 'solo');
    await stores.rebuild();
    cutOff(stores.events, organizationStream(acme), 3);
    await withheld(3, new RegExp(`^${cut}$`));
    await refused(broken(3, new RegExp(cut)));
    expect((await stores.json('verify', '--all')).answer).toMatchObject({
      ok: false,
      broken: [{ organization: acme, reason: cut }],
    });
    const out = join(stores.data, 'out');
    expect(await stores.json('export', borg, '--out', out)).toMatchObject({ code: 0, answer: { events: 2 } });
  }, 30_000);

  it('of a log whose last events are missing although Charter has already handled them', async () => {
    const account = randomUUID();
    const by = { actor: { kind: 'system', id: 'spec', powers: [] }, at: signedAt, correlation: account } as const;
    await stores.inside(async (charter) => {
      await charter.trail.record({ account }, { type: 'PasswordResetRequested', data: {} }, by);
      await charter.trail.record({ account }, { type: 'PasswordResetRequested', data: {} }, by);
      await replayAccountChanges(charter, Date.now());
    });
    cutOff(stores.events, `account-${account}`, 1);
    const reason = expect.stringMatching(
      /^the log has lost or replaced the event at position \d+, which Charter had already handled/,
    ) as string;
    await stores.inside((charter) =>
      expect(readThrough(exportWholeLog(charter, signedAt, () => undefined))).rejects.toMatchObject({ reason }),
    );
    const out = join(stores.data, 'out');
    expect(await stores.json('export', '--all', '--out', out)).toMatchObject({
      code: 1,
      answer: { type: '/problems/not-whole', reason },
    });
    expect((await stores.json('verify', '--all')).answer).toMatchObject({ ok: false, broken: [{ at: null, reason }] });
  }, 30_000);
});

describe('Export of an intact stream', () => {
  it('succeeds although the last events of another stream are missing', async () => {
    cutOff(stores.events, organizationStream(acme), 2);
    const out = join(stores.data, 'out');
    expect(await stores.json('export', borg, '--out', out)).toMatchObject({ code: 0, answer: { events: 1 } });
    rmSync(out);
  }, 30_000);
});
