import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '@charter/catalogue';
import type { Metadata } from '@charter/decider';
import { openDatabase } from '@charter/database';
import { MemoryLog } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import type { TrailFact } from '@charter/identity';
import { type Catalogue, eventTypes, organizationDecider, type OrganizationEvent } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { appendAgain, catchUp, hashOf } from '../projections/projecting';
import {
  type Corrected,
  correctedAnswers,
  type Differing,
  differences,
  eventsOf,
  excuses,
  folder as committed,
  isNeeded,
  organizationsOf,
  releases,
  sealedState,
  sealedValues,
  valuesOf,
} from './golden';
import { changesSince, snapshotAt, timelineOf } from './timeline';

/**
 * The hashes of the seal files of the first five histories. This spec contains the hashes, so that no script can seal
 * these histories again. The list never changes, and contains no newer histories.
 */
const released: Readonly<Record<string, string>> = {
  'schema-1': 'dcf2c0f3c5a7fe3c3b9311a3d48f0b6ba550b795cab895c2c2688c224e4949fb',
  'schema-1-reads': 'b17ef06213910060b139915ee9d185fc62f4a05b116f0a2d0494df44df245b25',
  'schema-1-late-news': 'ebe6e6241ef8b63d06844974d0312d6926e7c65c000ab24a3b12bcfa1792bbc1',
  'schema-1-own-data': '7e62f54bbc935aa59376f7d09cb7497da1979f3608596a07da1c119ba2086b2d',
  'schema-1-billing': 'c66b907e9cdce4f9eb09b87fe8a40c8551e75eb52dfef127951e817a767be574',
};

/** The newest schema of each event type of organizations that has more than one schema. */
const raised: { readonly [type in OrganizationEvent['type']]?: number } = {};

/**
 * Every event type with its newest schema. A new type or schema needs a golden history with such events. `node
 * test/history/add-golden.mjs NAME < events.jsonl` writes and seals this history. Existing files never change.
 */
const newest: Readonly<Record<string, number>> = {
  ...Object.fromEntries(eventTypes.map((type) => [type, 1])),
  ...raised,
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
} satisfies Record<TrailFact['type'], number>;

const read = (file: string) => readFileSync(join(committed, file), 'utf8');
const sumOf = (file: string) => createHash('sha256').update(read(file)).digest('hex');
const files = readdirSync(committed);
const seals = files.filter((file) => file.endsWith('.sha256'));

const found = releases.flatMap((name) => differences(name, sealedValues(name), valuesOf(name)));
const corrected = correctedAnswers();

const folder = mkdtempSync(join(tmpdir(), 'charter-golden-'));
afterAll(() => rmSync(folder, { recursive: true }));

// acceptance.md P5
describe('Golden histories', () => {
  it('have not changed since they were sealed', () => {
    const sums = seals.flatMap((seal) => read(seal).trimEnd().split('\n'));
    const sealed = files.filter((file) => !seals.includes(file) && file !== 'corrected.json');
    expect(sums.toSorted()).toEqual(sealed.map((file) => `${sumOf(file)}  ${file}`).toSorted());
    expect(seals.toSorted()).toEqual(releases.map((name) => `${name}.sha256`).toSorted());
  });

  it('of the first releases have the seals that this spec contains', () => {
    const sums = Object.keys(released).map((name) => [name, sumOf(`${name}.sha256`)]);
    expect(Object.fromEntries(sums)).toEqual(released);
  });

  it('contain each event type in each of its schemas', () => {
    const events = releases.flatMap(eventsOf);
    const present = new Set(events.map(({ type, metadata }) => `${type} ${(metadata as Metadata).schema}`));
    const wanted = Object.entries(newest).flatMap(([type, schema]) =>
      Array.from({ length: schema }, (_, index) => `${type} ${index + 1}`),
    );
    expect([...present].toSorted()).toEqual(wanted.toSorted());
  });

  it.each(releases)(
    "of %s contain the hashes that their release wrote, and today's code computes the same hashes",
    async (name) => {
      const streams = Map.groupBy(eventsOf(name), ({ stream }) => stream);
      for (const [stream, events] of streams) {
        const { head } = sealedValues(name)[stream]!;
        expect(await verifyChain(events)).toEqual({ ok: true, events: events.length, head });
      }
    },
  );

  it.each(releases)('of %s give the sealed states, limits and features at every revision and moment', (name) => {
    const changed = found.filter((each) => each.history === name && !corrected.some((entry) => excuses(entry, each)));
    expect(changed.map(spelledOut)).toEqual([]);
  });

  it('give exactly the sealed reasons for each feature that is on', () => {
    const snapshots = new Map<string, SealedFeatures>();
    const featuresOf = ({ history, stream, part, at }: Differing) => {
      const place = `${history} ${stream} ${part} ${at}`;
      const sealed = () => snapshotAt(sealedValues(history)[stream]![part as 'inForce']!, at) as SealedFeatures;
      return snapshots.get(place) ?? snapshots.set(place, sealed()).get(place)!;
    };
    const reasons = found.filter(({ key }) => key.startsWith('/features/'));
    expect(reasons.length).toBeGreaterThan(0);
    const on = reasons.filter((each) => featuresOf(each).features[each.key.split('/')[2]!]!.on);
    expect(on.map(spelledOut)).toEqual([]);
  });

  it('have no correction that is not needed', () => {
    expect(corrected.filter((entry) => !isNeeded(entry, found))).toEqual([]);
  });

  it.each([
    ['today’s catalogue', loadCatalogue()],
    [
      'a catalogue that sells nothing',
      { terms: () => undefined, grants: () => undefined, plans: () => [], addOns: () => [] } satisfies Catalogue,
    ],
  ])('give the same answers with %s', (_, catalogue) => {
    for (const name of releases) expect(valuesOf(name, organizationDecider(catalogue))).toEqual(valuesOf(name));
  });

  it.each(releases.filter((name) => organizationsOf(name).length > 0))(
    'of %s give the sealed documents of the read model',
    async (name) => {
      const log = new MemoryLog();
      const organizations = organizationsOf(name);
      for (const event of organizations) await appendAgain(log, event);
      const database = await openDatabase({ file: join(folder, `${name}.db`) });
      const store = database.view(organizationView);
      await catchUp(log, store);
      await hashOf(log, store);
      const page = await (await store.live())!.page('', 100);
      expect(page.documents.length).toBe(new Set(organizations.map(({ stream }) => stream)).size);
      for (const { stream, document } of page.documents) {
        const sealed = sealedValues(name)[stream]!;
        const last = organizations.findLast((event) => event.stream === stream)!;
        const at = Number(last.revision);
        expect(document).toMatchObject({ revision: at, at: (last.metadata as Metadata).at });
        const [was, is] = [sealedState(sealed, at), document.state].map((state) => timelineOf([[at, state]]));
        expect(changesSince(was!, is!, [at])).toEqual([]);
      }
      await database.close();
      await log.close();
    },
  );
});

type SealedFeatures = Readonly<{ features: Readonly<Record<string, Readonly<{ on: boolean }>>> }>;

describe('A correction of golden histories', () => {
  const of = { history: 'schema-1', stream: 'organization-1', part: 'entitlements' } as const;
  const change: Differing = { ...of, key: '/limits/users/effective', at: 4, was: 2, is: 3 };
  const entry: Corrected = { ...of, issue: 12, why: 'a planted one', key: '/limits/users', revisions: [4, 4] };

  it('covers its key and all keys below it, at its revisions', () => {
    expect(excuses(entry, change)).toBe(true);
    expect(excuses({ ...entry, key: change.key }, change)).toBe(true);
    expect(isNeeded(entry, [change])).toBe(true);
  });

  it('with a star in its key covers any name at this place', () => {
    expect(excuses({ ...entry, key: '/limits/*/effective' }, change)).toBe(true);
    expect(excuses({ ...entry, key: '/limits/*' }, { ...change, key: '/limits/users' })).toBe(true);
    expect(excuses({ ...entry, key: '/limits/*' }, { ...change, key: '/limits' })).toBe(false);
    expect(excuses({ ...entry, key: '/limits/*/hard' }, change)).toBe(false);
  });

  it('that only adds values covers no sealed value', () => {
    expect(excuses({ ...entry, adds: true }, { ...change, was: undefined })).toBe(true);
    expect(excuses({ ...entry, adds: true }, change)).toBe(false);
    expect(excuses({ ...entry, adds: true }, { ...change, was: null })).toBe(false);
  });

  it.each<[string, Partial<Corrected>]>([
    ['another history', { history: 'schema-2' }],
    ['another stream', { stream: 'organization-2' }],
    ['another part', { part: 'state' }],
    ['another key', { key: '/limits/user' }],
    ['later revisions', { revisions: [5, 9] }],
    ['earlier revisions', { revisions: [0, 3] }],
  ])('does not cover a change with %s', (_, more) => {
    expect(excuses({ ...entry, ...more }, change)).toBe(false);
  });

  it("counts as not needed if today's answer equals the sealed answer at its first or last revision", () => {
    for (const revisions of [
      [3, 4],
      [4, 5],
      [7, 8],
    ] as const)
      expect([revisions, isNeeded({ ...entry, revisions }, [change])]).toEqual([revisions, false]);
  });
});

function spelledOut({ stream, part, key, at, was, is }: Differing): string {
  const [before, now] = [was, is].map((value) => (value === undefined ? 'absent' : JSON.stringify(value)));
  return `${stream}, ${part} ${key} at ${at}: sealed as ${before}, now ${now}`;
}
