import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  deepCopy,
  type Evolution,
  fold,
  type Folded,
  type Message,
  type Metadata,
  type Moment,
  emptyStream,
} from '@charter/decider';
import { positionOf, recordedEvent, type StoredEvent } from '@charter/event-log';
import type { View } from '@charter/projections';
import { accountTrail, type AuditState, type TrailFact } from '@charter/identity';
import { entitlementsOf, type OrganizationDraft, type OrganizationEvent } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { type Change, changesSince, snapshotAt, type Timeline, timelineOf, type When } from './timeline';

type Reading<Draft, Event extends Message> = Evolution<Draft, Event> & Pick<View<Draft, Event>, 'upcast'>;

export const folder = join(__dirname, 'golden');

/** The names of the sealed histories. Each history has a new event type, a new schema or a new order of events. */
export const releases = readdirSync(folder)
  .flatMap((file) => (file.endsWith('.jsonl') ? [file.slice(0, -'.jsonl'.length)] : []))
  .sort();

/** The events as a release of Charter wrote them. The file of these events never changes. */
export function eventsOf(name: string): readonly StoredEvent[] {
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line, index) => {
    const { stream, revision, id, type, data, metadata } = JSON.parse(line) as Line;
    const position = positionOf(BigInt(index + 1));
    return { stream, revision: BigInt(revision), id, type, data, metadata, position, created: new Date(metadata.at) };
  });
}
type Line = Pick<StoredEvent, 'stream' | 'id' | 'type' | 'data'> & {
  revision: number;
  metadata: Metadata;
};

export const organizationsOf = (name: string) =>
  eventsOf(name).filter(({ stream }) => stream.startsWith('organization-'));

/** Today's answers for one stream. */
export type StreamValues = Readonly<{
  /** The hash of the last event. */
  head: string;
  events: number;
  /** The state at each revision. */
  state: Timeline;
  /**
   * Only for an organization: limits and features at each revision, at the moment of that revision. A further entry
   * has the limits and features after all events, at the same moment for all histories. Its key is the number of
   * events.
   */
  entitlements?: Timeline;
  /**
   * Only for an organization: limits and features in force at each moment when an event takes effect, computed from all
   * events.
   */
  inForce?: Timeline;
}>;
export type Values = Readonly<Record<string, StreamValues>>;

/** Today's answers for a history. */
export function valuesOf(
  name: string,
  organization: Reading<OrganizationDraft, OrganizationEvent> = organizationView,
): Values {
  const streams = Map.groupBy(eventsOf(name), ({ stream }) => stream);
  return Object.fromEntries(
    [...streams].map(([stream, stored]) => [
      stream,
      stream.startsWith('organization-')
        ? organizationValues(stored, organization)
        : streamValues(stored, foldedThrough<AuditState, TrailFact>(accountTrail, stored)),
    ]),
  );
}

function organizationValues(
  stored: readonly StoredEvent[],
  reading: Reading<OrganizationDraft, OrganizationEvent>,
): StreamValues {
  const events = stored.map((event) => recordedEvent(reading, event));
  const moments = [...new Set(stored.map(heldFrom))].sort();
  const inForceAt = (moment: Moment) =>
    fold(
      reading,
      events.filter((_, index) => heldFrom(stored[index]!) <= moment),
      emptyStream(reading),
    ).state;
  const states = foldedThrough(reading, stored);
  return {
    ...streamValues(stored, states),
    entitlements: timelineOf([
      ...states.map(({ state, at }, revision) => [revision, plain(entitlementsOf(state, at))] as const),
      [events.length, plain(entitlementsOf(states.at(-1)!.state, LOOKED_BACK_AT))],
    ]),
    inForce: timelineOf(moments.map((moment) => [moment, plain(entitlementsOf(inForceAt(moment), moment))] as const)),
  };
}

const streamValues = (stored: readonly StoredEvent[], states: readonly Folded<unknown>[]): StreamValues => ({
  head: (stored.at(-1)!.metadata as Metadata).hash,
  events: stored.length,
  state: timelineOf(states.map(({ state }, revision) => [revision, plain(state)] as const)),
});

/** The state of a stream at each of its revisions. Each state is a copy, because `evolve` changes its draft. */
export function foldedThrough<Draft, Event extends Message>(
  reading: Reading<Draft, Event>,
  stored: readonly StoredEvent[],
): readonly Folded<Draft>[] {
  let present = emptyStream<Draft>(reading);
  return stored.map((event) => {
    present = fold(reading, [recordedEvent(reading, event)], present);
    return deepCopy(present);
  });
}

/** The moment from which an event is in force (`decisions.md` 24). */
const heldFrom = ({ data, metadata }: Pick<StoredEvent, 'data' | 'metadata'>): Moment =>
  (data as { effectiveAt?: Moment }).effectiveAt ?? (metadata as Metadata).at;

const LOOKED_BACK_AT: Moment = '2026-11-25T00:00:00.000Z';

/** The value after a conversion to JSON and back. JSON cannot contain Infinity, so a text replaces it. */
const plain = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (part === Infinity ? 'unlimited' : part))) as Value;

/** The sealed answers for a history: the answers of the release that sealed this history. */
export const sealedValues = (name: string): Values =>
  JSON.parse(readFileSync(join(folder, `${name}.values.json`), 'utf8')) as Values;

/** The sealed state of one stream at a revision. */
export const sealedState = ({ state }: StreamValues, revision: number): unknown => snapshotAt(state, revision);

/** A sealed value that differs from today's value. */
export type Differing = Change & Readonly<{ history: string; stream: string; part: Part }>;
type Part = 'head' | 'events' | 'state' | 'entitlements' | 'inForce';

/** Every sealed value that differs or is missing today. Ignores keys that did not exist in the release. */
export function differences(name: string, sealed: Values, today: Values): readonly Differing[] {
  const stored = Map.groupBy(eventsOf(name), ({ stream }) => stream);
  return Object.entries(sealed).flatMap(([stream, was]) => {
    const is = today[stream];
    const revisions = Array.from({ length: was.events }, (_, revision) => revision);
    const moments = [...new Set(stored.get(stream)!.map(heldFrom))].sort();
    const within = (part: Part, changes: readonly Change[]) =>
      changes.map((change) => ({ history: name, stream, part, ...change }));
    const compared = (part: 'state' | 'entitlements' | 'inForce', whens: readonly When[]) =>
      within(part, changesSince(was[part] ?? {}, is?.[part] ?? {}, whens));
    const ends = (['head', 'events'] as const).flatMap((part) =>
      was[part] === is?.[part] ? [] : within(part, [{ key: '', at: was.events - 1, was: was[part], is: is?.[part] }]),
    );
    return [
      ...ends,
      ...compared('state', revisions),
      ...compared('entitlements', [...revisions, was.events]),
      ...compared('inForce', moments),
    ];
  });
}

/**
 * The correction of a wrong sealed answer: the place of the answer, the reason for the new answer, and the issue
 * number.
 */
export type Corrected = Readonly<{
  issue: number;
  why: string;
  history: string;
  stream: string;
  part: Part;
  /** The correction also covers all keys below this key. `*` matches any single name. */
  key: string;
  /** The correction covers only values that the release did not give, so every sealed value must stay equal. */
  adds?: true;
  /** The first and the last revision (or moment, in `inForce`) of the correction. */
  revisions: readonly [When, When];
}>;

export const correctedAnswers = (): readonly Corrected[] =>
  JSON.parse(readFileSync(join(folder, 'corrected.json'), 'utf8')) as Corrected[];

/** Whether the correction covers the difference. */
export const excuses = ({ history, stream, part, key, adds, revisions: [first, last] }: Corrected, found: Differing) =>
  found.history === history &&
  found.stream === stream &&
  found.part === part &&
  isWithin(found.key.split('/'), key.split('/')) &&
  (!adds || found.was === undefined) &&
  first <= found.at &&
  found.at <= last;

const isWithin = (key: readonly string[], covered: readonly string[]) =>
  covered.every((name, index) => (name === '*' ? index < key.length : name === key[index]));

/**
 * Whether a correction is needed: today's answers at its first and at its last revision differ from the sealed answers.
 */
export const isNeeded = (corrected: Corrected, found: readonly Differing[]) =>
  corrected.revisions.every((at) => found.some((each) => each.at === at && excuses(corrected, each)));

/** The sealed values that changed without a correction, and the corrections that are not needed. */
export function contradictions(
  corrected: readonly Corrected[] = correctedAnswers(),
): Readonly<{ changed: readonly Differing[]; needless: readonly Corrected[] }> {
  const found = releases.flatMap((name) => differences(name, sealedValues(name), valuesOf(name)));
  return {
    changed: found.filter((each) => !corrected.some((entry) => excuses(entry, each))),
    needless: corrected.filter((entry) => !isNeeded(entry, found)),
  };
}
