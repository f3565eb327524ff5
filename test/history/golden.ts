import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type Evolution,
  fold,
  type Folded,
  type Message,
  type Metadata,
  type Moment,
  nothingYet,
  type Recorded,
} from '@charter/decider';
import { positionOf, recordedBy, type StoredEvent, type View } from '@charter/event-log';
import { accountTrail, type Trail, type TrailFact } from '@charter/identity';
import { entitlementsOf, type OrganizationDraft, type OrganizationEvent } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import canonicalize from 'canonicalize';

type Reading<Draft, Event extends Message> = Evolution<Draft, Event> & Pick<View<Draft, Event>, 'upcast'>;

export const folder = resolve('test/history/golden');

/** One file for each release that brought a new type or schema, or a course of things that was not there yet. */
export const releases = readdirSync(folder)
  .flatMap((file) => (file.endsWith('.jsonl') ? [file.slice(0, -'.jsonl'.length)] : []))
  .sort();

/** Events as a release of Charter wrote them. Such a file is never changed: what was written once is read for ever. */
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

/** What they are folded to: for each stream its state, what it allows, and a hash of its state at each revision. */
export function folded(
  name: string,
  organization: Reading<OrganizationDraft, OrganizationEvent> = organizationView,
): Readonly<Record<string, object>> {
  const streams = Map.groupBy(eventsOf(name), ({ stream }) => stream);
  const each = [...streams].map(([stream, events]) => {
    const told = stream.startsWith('organization-')
      ? { ...through(organization, events, (state) => ({ entitlements: entitlementsOf(state, MOMENT) })) }
      : { ...through<Trail, TrailFact>(accountTrail, events) };
    return [stream, plain(told)] as const;
  });
  return Object.fromEntries(each);
}

/**
 * What organizations were entitled to, each as a hash: at every revision, by what was recorded then; and at every moment from
 * which anything holds, by all that is recorded.
 */
export function entitled(
  name: string,
  reading: Reading<OrganizationDraft, OrganizationEvent> = organizationView,
): Readonly<Record<string, object>> {
  const streams = Map.groupBy(organizationsOf(name), ({ stream }) => stream);
  const each = [...streams].map(([stream, stored]) => {
    const events = stored.map((event) => recordedBy(reading, event));
    const hashes = (moments: readonly Moment[], counts: (event: Told, at: Moment, index: number) => boolean) =>
      moments.map((at, index) => {
        const { state } = fold(
          reading,
          events.filter((event) => counts(event, at, index)),
          nothingYet(reading),
        );
        return [at, hashOf(entitlementsOf(state, at))] as const;
      });
    const recorded = hashes(
      events.map(({ metadata }) => metadata.at),
      ({ revision }, _, index) => revision <= index,
    );
    const moments = [...new Set(events.map(heldFrom))].sort();
    return [
      stream,
      {
        atRevisions: recorded.map(([, hash]) => hash),
        inForceAt: Object.fromEntries(hashes(moments, (event, at) => heldFrom(event) <= at)),
      },
    ] as const;
  });
  return Object.fromEntries(each);
}

type Told = Recorded<OrganizationEvent>;
/** `decisions.md` 24. */
const heldFrom = ({ data, metadata }: Told): Moment => ('effectiveAt' in data ? data.effectiveAt : metadata.at);

/** When it is asked what they allow. */
const MOMENT: Moment = '2026-11-25T00:00:00.000Z';

function through<Draft, Event extends Message>(
  reading: Reading<Draft, Event>,
  events: readonly StoredEvent[],
  more: (state: Draft) => object = () => ({}),
) {
  let present: Folded<Draft> = nothingYet<Draft>(reading);
  const hashes = events.map((event) => {
    present = fold(reading, [recordedBy(reading, event)], present);
    return hashOf(present);
  });
  const head = (events.at(-1)!.metadata as Metadata).hash;
  return { head, folded: present, ...more(present.state), hashes };
}

const hashOf = (value: object) =>
  createHash('sha256')
    .update(canonicalize(plain(value))!)
    .digest('hex');

/** As it reads after it was stored. JSON has no word for what has no limit. */
const plain = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (part === Infinity ? 'unlimited' : part))) as Value;
