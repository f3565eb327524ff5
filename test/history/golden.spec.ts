import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '@charter/catalogue';
import type { Metadata } from '@charter/decider';
import { openDocuments } from '@charter/documents';
import { MemoryLog, verifyChain } from '@charter/event-log';
import type { TrailFact } from '@charter/identity';
import { type Catalogue, organizationDecider, type OrganizationEvent } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { appendAgain, catchUp, hashOf } from '../projections/projecting';
import { entitled, eventsOf, folded, folder as committed, organizationsOf, releases } from './golden';

/** As `sha256sum -c` reads it. */
const SEAL = 'golden.sha256';

/**
 * What was ever kept: SHA-256 over the lines of the seal of each release, sorted. It stands here, and not beside the files,
 * so that no script can make an old one anew: a line is added for each new release, and none is ever changed.
 */
const released: Readonly<Record<string, string>> = {
  'schema-1': 'c20deb521686de4ec3754384aa6f57fa8e05b41a0d7425126c25011608ff668a',
  'schema-1-reads': '76e70871e902bd026b7934764df6af6b91e899107d79136447aedacc832f9e99',
  'schema-1-late-news': 'fe1f7b146a954c384b730e1b4da6fcac166b04b8ff4626b21f4d2b916d284f1a',
  'schema-1-own-data': '685085fdda5e1ae9bbd562eacfe6945b9baef02ab758bb389d89ef91ae7e21bd',
  'schema-1-billing': '1cd95eaef1f130387bd2acaa5b7bb1ff95e3360a82b6d40703885a0a10360f1a',
};

/**
 * Every type of event and its newest schema. The compiler refuses a forgotten one. Whoever adds a type or raises a schema
 * adds events of it, as they are stored, in a file of its own: `node test/history/add-golden.mjs NAME < events.jsonl` writes
 * it and what it is folded to, and seals them. What was committed before is never changed, and never has to be.
 */
const newest = {
  OrganizationFounded: 1,
  OrganizationRenamed: 1,
  OrganizationClosed: 1,
  OrganizationReopened: 1,
  PlanAssigned: 1,
  PlanEnded: 1,
  AddOnPurchased: 1,
  AddOnCancelled: 1,
  ServiceLevelAssigned: 1,
  ProductEnabled: 1,
  ProductDisabled: 1,
  ParallelUseChanged: 1,
  LimitsConfigured: 1,
  HardLimitsOverridden: 1,
  HardLimitsRestored: 1,
  MemberAdded: 1,
  MemberRoleChanged: 1,
  MemberRemoved: 1,
  ProductUserFlagged: 1,
  ProductUserUnflagged: 1,
  SiteAdded: 1,
  SiteRenamed: 1,
  SiteFeaturesChanged: 1,
  SiteRemoved: 1,
  QualityAssuranceDomainAdded: 1,
  QualityAssuranceDomainRemoved: 1,
  WebAnalyticsDomainAdded: 1,
  WebAnalyticsDomainRemoved: 1,
  BillingAccountLinked: 1,
  SingleSignOnConfigured: 1,
  SingleSignOnRemoved: 1,
  TrafficReported: 1,
  AccountCreated: 1,
  SignedIn: 1,
  SignInFailed: 1,
  SignedOut: 1,
  SessionsEnded: 1,
  PasswordResetRequested: 1,
  PasswordReset: 1,
  PasswordChanged: 1,
  PasswordDropped: 1,
  EmailChangeRequested: 1,
  EmailChanged: 1,
  NamesChanged: 1,
  ProviderLinked: 1,
  Invited: 1,
  RoleAssigned: 1,
  AccountDisabled: 1,
  AccountEnabled: 1,
  AccountErased: 1,
  DataExported: 1,
  KeyCreated: 1,
  KeyRevoked: 1,
  KeyUsed: 1,
  HistoryRead: 1,
  HistoryExported: 1,
  ChangesRead: 1,
  BillingMessageReplayed: 1,
  BillingMessageDismissed: 1,
} satisfies Record<OrganizationEvent['type'] | TrailFact['type'], number>;

type Golden = Readonly<Record<string, { head: string; folded: object }>>;
const read = (file: string) => readFileSync(join(committed, file), 'utf8');
const golden = (name: string) => JSON.parse(read(`${name}.folded.json`)) as Golden;

const folder = mkdtempSync(join(tmpdir(), 'charter-golden-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('P5: events that were ever released', () => {
  it('are in files that nobody has changed since they were committed', () => {
    const sums = readdirSync(committed)
      .filter((file) => file !== SEAL)
      .map((file) => `${createHash('sha256').update(read(file)).digest('hex')}  ${file}`);
    expect(read(SEAL).trimEnd().split('\n').toSorted()).toEqual(sums.toSorted());
    expect(releases.length).toBeGreaterThan(2);
  });

  it('are those that this spec names, with what they were when they were added', () => {
    const lines = read(SEAL).trimEnd().split('\n').toSorted();
    const sealed = Map.groupBy(lines, (line) => line.slice(66).split('.', 1)[0]!);
    const hashes = [...sealed].map(([name, of]) => [
      name,
      createHash('sha256')
        .update(of.map((line) => `${line}\n`).join(''))
        .digest('hex'),
    ]);
    expect(Object.fromEntries(hashes)).toEqual(released);
  });

  it('are all there: each type in each of its schemas', () => {
    const events = releases.flatMap(eventsOf);
    const kept = new Set(events.map(({ type, metadata }) => `${type} ${(metadata as Metadata).schema}`));
    const wanted = Object.entries(newest).flatMap(([type, schema]) =>
      Array.from({ length: schema }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...kept].toSorted()).toEqual(wanted.toSorted());
  });

  it.each(releases)('%s: have the hashes that they were written with', async (name) => {
    const streams = Map.groupBy(eventsOf(name), ({ stream }) => stream);
    for (const [stream, events] of streams) {
      const { head } = golden(name)[stream]!;
      expect(await verifyChain(events)).toEqual({ ok: true, events: events.length, head });
    }
  });

  it.each(releases)('%s: are folded to what they were folded to then, at every revision', (name) => {
    expect(folded(name)).toEqual(golden(name));
  });

  it.each(releases)('%s: entitle to what they entitled to then, at every revision and moment', (name) => {
    expect(entitled(name)).toEqual(JSON.parse(read(`${name}.entitled.json`)));
  });

  it.each([
    ['today’s', loadCatalogue()],
    ['one that sells nothing', { terms: () => undefined, grants: () => undefined } satisfies Catalogue],
  ])('mean the same whatever is for sale now: %s', (_, catalogue) => {
    for (const name of releases) {
      expect(folded(name, organizationDecider(catalogue))).toEqual(golden(name));
      expect(entitled(name, organizationDecider(catalogue))).toEqual(entitled(name));
    }
  });

  it.each(releases.filter((name) => organizationsOf(name).length > 0))(
    '%s: make the documents of the read model',
    async (name) => {
      const log = new MemoryLog();
      const organizations = organizationsOf(name);
      for (const event of organizations) await appendAgain(log, event);
      const documents = await openDocuments({ file: join(folder, `${name}.db`) });
      const store = documents.view(organizationView);
      await catchUp(log, store);
      await hashOf(log, store);
      const page = await (await store.live())!.page('', 100);
      expect(page.documents.length).toBe(new Set(organizations.map(({ stream }) => stream)).size);
      for (const { stream, document } of page.documents) expect(document).toEqual(golden(name)[stream]!.folded);
      await documents.close();
      await log.close();
    },
  );
});
