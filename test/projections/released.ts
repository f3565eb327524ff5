import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Evolution,
  fold,
  type Folded,
  type Message,
  type Metadata,
  type Moment,
  nothingYet,
} from '@charter/decider';
import { positionOf, recordedBy, type StoredEvent, type View } from '@charter/event-log';
import { accountTrail, type Trail, type TrailFact } from '@charter/identity';
import { entitlementsOf, type OrganizationDraft, type OrganizationEvent } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import canonicalize from 'canonicalize';

type Reading<Draft, Event extends Message> = Evolution<Draft, Event> & Pick<View<Draft, Event>, 'upcast'>;

/** Events as a release of Charter wrote them. Such a file is never changed: what was written once is read for ever. */
export function eventsOfRelease(name: string): readonly StoredEvent[] {
  const lines = readFileSync(join(__dirname, 'released', `${name}.jsonl`), 'utf8')
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

/** What they are folded to: for each stream its state, what it allows, and a hash of its state at each revision. */
export function folded(
  name: string,
  organization: Reading<OrganizationDraft, OrganizationEvent> = organizationView,
): Readonly<Record<string, object>> {
  const streams = Map.groupBy(eventsOfRelease(name), ({ stream }) => stream);
  const each = [...streams].map(([stream, events]) => {
    const told = stream.startsWith('organization-')
      ? { ...through(organization, events, (state) => ({ entitlements: entitlementsOf(state, MOMENT) })) }
      : { ...through<Trail, TrailFact>(accountTrail, events) };
    return [stream, plain(told)] as const;
  });
  return Object.fromEntries(each);
}

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
    return createHash('sha256')
      .update(canonicalize(plain(present))!)
      .digest('hex');
  });
  const head = (events.at(-1)!.metadata as Metadata).hash;
  return { head, folded: present, ...more(present.state), hashes };
}

/** As it reads after it was stored. JSON has no word for what has no limit. */
const plain = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (part === Infinity ? 'unlimited' : part))) as Value;
