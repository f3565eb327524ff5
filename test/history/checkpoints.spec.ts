import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '@charter/event-log';
import { BrokenChain, rootOf } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import {
  exportOrganization,
  lastSignedCheckpoint,
  SignedHeadsInvalid,
  SignedMeanwhile,
  SigningRefused,
  openCharter,
  signOrganizationCheckpoint,
  signWholeLog,
  verifyAllChains,
  verifyChainOf,
} from '@charter/application';
import { parseSettings } from '@charter/settings';
import { CommandLine } from '../cli/command-line';
import { cutOff, tampered } from '../support/stores/tampering';
import { rewritten } from './files/rewriting';
import { signedAt, twoOrganizations } from './two-organizations';

const at = signedAt;
let stores: CommandLine;
let acme: string;
let borg: string;
twoOrganizations((...made) => ([stores, acme, borg] = made));

const signed = (options: { anew?: boolean } = {}) => {
  let followed = 0;
  return stores.inside(async (charter) => {
    const made = await signWholeLog(charter, { at, ...options, onEvents: (events) => void (followed = events) });
    return { ...made!, followed };
  });
};
const verdict = (id = acme) => stores.inside((charter) => verifyChainOf(charter, id));
const everything = () => stores.inside((charter) => verifyAllChains(charter, () => () => undefined));
const eventsOf = (id: string) =>
  stores.inside(async ({ log }) => {
    const events: StoredEvent[] = [];
    for await (const event of log.readStream(organizationStream(id))) events.push(event);
    return events;
  });

describe('A signed checkpoint over the whole log', () => {
  it('contains the root of the last hashes of all streams, and the next signing reads only the events after this checkpoint', async () => {
    const first = await signed();
    const heads = await Promise.all(
      [acme, borg].map(async (id) => ({
        stream: organizationStream(id),
        head: ((await eventsOf(id)).at(-1)!.metadata as { hash: string }).hash,
      })),
    );
    const inOrder = heads.toSorted((one, other) => (one.stream < other.stream ? -1 : 1));
    expect(first.checkpoint).toMatchObject({ events: 4, root: rootOf(inOrder), covers: 'all streams', at });
    expect(first.checkpoint.root).toBe((await everything()).head);
    expect(first.followed).toBe(4);

    await stores.found('Acme 2', 'solo');
    await stores.inside(({ organizations }) =>
      organizations.execute(organizationStream(borg), { type: 'RenameOrganization', data: { name: 'Borg 2' } }, by()),
    );
    const second = await signed();
    expect([second.followed, second.checkpoint.events]).toEqual([3, 7]);
    expect(second.checkpoint.root).toBe((await everything()).head);
    expect(await stores.inside((charter) => lastSignedCheckpoint(charter))).toEqual(second.checkpoint);
    expect(await everything()).toMatchObject({ broken: [], signed: second.checkpoint });
    expect(await verdict(borg)).toMatchObject({ ok: true, events: 2, signed: { at, events: 2 } });
  });

  it('is signed by only one of two callers at the same time; the request of the other caller fails', async () => {
    const results = await stores.inside(async (charter) => {
      const other = await openCharter(parseSettings({ CHARTER_DATA: stores.data }), 'beside');
      const both = await Promise.allSettled([signWholeLog(charter, { at }), signWholeLog(other, { at })]);
      await other.close();
      return both;
    });
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await everything()).broken).toEqual([]);
  });

  it('raises no alarm if another process signs while the events are verified', async () => {
    await signed();
    for (const id of [acme, borg])
      await stores.inside(({ organizations }) =>
        organizations.execute(organizationStream(id), { type: 'RenameOrganization', data: { name: 'New' } }, by()),
      );
    await stores.inside(async (charter) => {
      const onEvents = async (events: number) => {
        if (events === 1) await signWholeLog(charter, { at });
      };
      await expect(signWholeLog(charter, { at, onEvents })).rejects.toThrow(SignedMeanwhile);
    });
    expect((await everything()).broken).toEqual([]);
  });

  it('is not signed for an empty log', async () => {
    const empty = new CommandLine();
    expect(await empty.inside((charter) => signWholeLog(charter, { at }))).toBeUndefined();
    empty.remove();
  });
});

describe('The comparison with the last signed checkpoint finds', () => {
  beforeEach(() => signed());
  const named = async (at: number, reason: RegExp) => {
    const found = { at, reason: expect.stringMatching(reason) as string };
    expect(await verdict()).toEqual({ ok: false, ...found });
    expect((await everything()).broken).toEqual([{ organization: acme, ...found }]);
  };

  it('a stream whose last events are missing, although the remaining chain is valid', async () => {
    cutOff(stores.events, organizationStream(acme), 2);
    await named(2, /its end is missing: 3 events were signed/);
  });

  it('a stream that is missing completely', async () => {
    cutOff(stores.events, organizationStream(acme), 0);
    await named(0, /its end is missing: 3 events were signed/);
  });

  it('a stream that was rewritten from its beginning with a valid chain', async () => {
    rewritten(stores.events, organizationStream(acme), 3);
    await named(2, /not the event that was signed/);
  });

  it('a stream that was rewritten and made longer', async () => {
    rewritten(stores.events, organizationStream(acme), 5);
    await named(2, /not the event that was signed/);
  });

  it('a stored checkpoint that was changed to match the damaged stream', async () => {
    cutOff(stores.events, organizationStream(acme), 2);
    const [, second] = await eventsOf(acme);
    const { hash } = second!.metadata as { hash: string };
    const sql = 'UPDATE signed_heads SET events = 2, head = ? WHERE stream = ?';
    tampered(stores.documents, sql, hash, organizationStream(acme));
    const reason = expect.stringMatching(/is invalid: its stored heads were changed/) as string;
    expect(await verdict()).toEqual({ ok: false, at: null, reason });
    expect((await everything()).broken).toEqual([{ ok: false, at: null, reason }]);
  });

  it.each([0, -1, 2.5, 4])('a stored number of events (%d) that differs from the signed number', async (events) => {
    cutOff(stores.events, organizationStream(acme), 2);
    tampered(stores.documents, 'UPDATE signed_heads SET events = ? WHERE stream = ?', events, organizationStream(acme));
    expect(await verdict()).toMatchObject({
      ok: false,
      at: null,
      reason: expect.stringMatching(/checkpoint is invalid/),
    });
    expect((await everything()).broken).toMatchObject([
      { at: null, reason: expect.stringMatching(/checkpoint is invalid/) },
    ]);
  });

  it('a checkpoint whose signed note was changed, or was signed with another key', async () => {
    tampered(
      stores.documents,
      "UPDATE marks SET value = replace(value, 'T12', 'T13') WHERE name = 'signed-checkpoint'",
    );
    expect(await verdict()).toMatchObject({ ok: false, reason: expect.stringMatching(/does not match this text/) });
    writeFileSync(join(stores.data, 'checkpoint-key'), Buffer.alloc(32, 9).toString('base64'));
    expect(await verdict()).toMatchObject({
      ok: false,
      reason: expect.stringMatching(
        /not by any of the given keys\. .*run charter checkpoint sign --anew\. Otherwise, .* the checkpoint\.$/,
      ),
    });
    await expect(signed()).rejects.toThrow(SignedHeadsInvalid);
  });
});

describe('The signing of a checkpoint is refused', () => {
  const refused = async (why: RegExp) => {
    await expect(signed()).rejects.toThrow(SigningRefused);
    await expect(signed()).rejects.toThrow(why);
  };

  it('if a hash chain is broken', async () => {
    tampered(stores.events, "UPDATE events SET data = CAST('{}' AS BLOB) WHERE revision = 1");
    await refused(/revision 1 of organization-.*: its hash does not match its content/);
  });

  it('if the log ends before the last signed event, unless the operator confirms the shorter log', async () => {
    await signed();
    cutOff(stores.events, organizationStream(borg), 0);
    await refused(/the log ends before the last signed event/);
    expect((await signed({ anew: true })).checkpoint.events).toBe(3);
    expect((await everything()).broken).toEqual([]);
  });

  it('if the stored heads of the last checkpoint were changed', async () => {
    await signed();
    const sql = 'UPDATE signed_heads SET head = ? WHERE stream = ?';
    tampered(stores.documents, sql, 'f'.repeat(64), organizationStream(acme));
    await refused(/the stored heads of the last checkpoint were changed/);
  });

  it('if the last signed event was replaced, or the log now belongs to another store', async () => {
    await signed();
    rewritten(stores.events, organizationStream(borg), 1);
    await refused(/revision 0 of organization-.* is not the event that was signed/);
    tampered(stores.events, 'UPDATE store SET id = ?', randomUUID());
    await refused(/another store/);
  });

  it('if the content of the last signed event is not JSON, and so are an export and a checkpoint of its stream', async () => {
    await signed();
    const last = 'position = (SELECT max(position) FROM events)';
    tampered(stores.events, `UPDATE events SET data = CAST('{"day":' AS BLOB) WHERE ${last}`);
    await refused(/revision 0 of organization-.* is not the event that was signed/);
    const { signal } = new AbortController();
    await stores.inside(async (charter) => {
      await expect(exportOrganization(charter, borg, at, signal).next()).rejects.toThrow(BrokenChain);
      await expect(signOrganizationCheckpoint(charter, borg, at, signal)).rejects.toThrow(BrokenChain);
    });
  });
});

describe('The signing key', () => {
  it('is created once, in a file that only its owner can read; the process refuses to start with a damaged file and names the reason', async () => {
    const file = join(stores.data, 'checkpoint-key');
    const made = readFileSync(file, 'utf8');
    expect(Buffer.from(made, 'base64')).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = await stores.inside(({ signer }) => Promise.resolve(signer.verifierKey));
    expect(key).toMatch(/^charter\+[0-9a-f]{8}\+A\S{43}$/);
    expect(await stores.inside(({ signer }) => Promise.resolve(signer.verifierKey))).toBe(key);
    for (const wrong of ['', made.slice(1), `${made}x`, 'not a key']) {
      writeFileSync(file, wrong);
      await expect(stores.inside(() => Promise.resolve())).rejects.toThrow(/checkpoint-key is not the key that signs/);
    }
  });
});

const by = () => ({
  actor: { kind: 'system', id: 'spec', powers: ['operator'] } as const,
  at: new Date().toISOString(),
  ...{ command: randomUUID(), correlation: randomUUID(), causation: randomUUID() },
});
