import type { Immutable } from '@charter/decider';
import { eventDataSchema, isEventType } from '@charter/organization';
import { ActorField, At, differenceFields, Revision } from '@charter/organization-view';
import { z } from 'zod';
import { type DeclaredAnswers, jsonOrLines, NDJSON_TYPE } from '../http/declared-answers';

const Metadata = z
  .strictObject({
    command: z.string(),
    correlation: z.string(),
    causation: z.string(),
    actor: ActorField,
    at: At,
    schema: z.int(),
    previousHash: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'Metadata' });

const hashedFields = {
  id: z.guid(),
  type: z.string(),
  stream: z.string(),
  revision: Revision,
  data: z
    .record(z.string(), z.unknown())
    .meta({ description: 'The data of the event; the schema `OrganizationEvent` has the fields for each type' }),
  metadata: Metadata,
};
const eventFields = {
  ...hashedFields,
  position: z.string(),
  data: hashedFields.data.nullable(),
  metadata: Metadata.nullable(),
  unreadable: z.literal(true).exactOptional().meta({
    description:
      'Charter cannot read the event, because another tool wrote it. Only then `data` or `metadata` may be null',
  }),
};

type CheckedEvent = Readonly<{ type: string; data: object | null; metadata: object | null; unreadable?: true }>;

/** If this release knows the event's type, checks that the data matches the schema of that type. */
function checkData({ value, issues }: z.core.ParsePayload<CheckedEvent>) {
  const { type, data, metadata, unreadable } = value;
  if (unreadable) return;
  if (!data || !metadata) issues.push({ code: 'custom', message: 'is null', input: value });
  const { error } = isEventType(type) ? eventDataSchema(type).safeParse(data) : {};
  for (const { message, path } of error?.issues ?? [])
    issues.push({ code: 'custom', message, input: value, path: ['data', ...path] });
}

const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const ORGANIZATION = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const moment = '2026-11-21T10:00:00.000Z';
const exampleHashed = {
  id: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11',
  type: 'OrganizationFounded',
  stream: `organization-${ORGANIZATION}`,
  revision: 0,
  data: { name: 'Acme' },
  metadata: {
    command: '3d1f6c1e-6f7e-4f0b-8f16-9b8f0c1a2d3e',
    correlation: '3d1f6c1e-6f7e-4f0b-8f16-9b8f0c1a2d3e',
    causation: '3d1f6c1e-6f7e-4f0b-8f16-9b8f0c1a2d3e',
    actor: { kind: 'key', id: '5e0f6a1f-2b7c-4c90-8a53-7d3f6f3e7f4b' },
    at: moment,
    schema: 1,
    previousHash: hash,
    hash,
  },
};
export const exampleEvent = { ...exampleHashed, position: '00000000000000000001' };

/** An event with all its metadata, so that a reader can compute the event's hash. */
export const StoredEventAnswer = z
  .strictObject(eventFields)
  .check(checkData)
  .meta({ id: 'StoredEvent', examples: [exampleEvent] });
export type StoredEventAnswer = Immutable<z.infer<typeof StoredEventAnswer>>;

/** An event of one organization's history. */
const HistoryEventAnswer = z
  .strictObject({
    ...eventFields,
    repeats: Revision.exactOptional().meta({
      description: 'The revision of the event whose sale this event only repeats; this event therefore changes nothing',
    }),
  })
  .check(checkData)
  .meta({ id: 'HistoryEvent', examples: [exampleEvent] });
export type HistoryEventAnswer = Immutable<z.infer<typeof HistoryEventAnswer>>;

/** An NDJSON line of the change feed. */
const ChangeLine = z
  .strictObject({ ...eventFields, cursor: z.string() })
  .check(checkData)
  .meta({ id: 'Change', examples: [{ ...exampleEvent, cursor: 'MQ' }] });

const EventPageAnswer = z
  .strictObject({ events: z.array(HistoryEventAnswer), next: z.string().nullable() })
  .meta({ id: 'EventPage', examples: [{ events: [exampleEvent], next: null }] });

const end = { revision: 1, at: moment, moment };
export const DifferenceAnswer = z.strictObject({ organization: z.guid(), ...differenceFields }).meta({
  id: 'Difference',
  examples: [
    {
      ...{ organization: ORGANIZATION, from: { ...end, revision: 0 }, to: end, valid: null, events: 1 },
      state: [{ op: 'replace', path: '/name', value: 'Acme Ltd', before: 'Acme', causes: [], causesInAll: 1 }],
      entitlements: { limits: {}, features: {} },
    },
  ],
});

const verified = {
  events: z.int().min(0),
  head: z.string(),
  signed: z.strictObject({ at: At, events: z.int().min(0) }).nullable(),
  readModel: z
    .union([
      z.strictObject({ ok: z.literal(true), revision: z.int() }),
      z.strictObject({ ok: z.literal(false), reason: z.string() }),
    ])
    .nullable(),
};
const broken = { ok: z.literal(false), at: z.int().nullable(), reason: z.string() };

/** Whether an organization's hash chain is valid and its read model equals a replay. */
export const VerificationAnswer = z
  .union([
    z.strictObject({ ok: z.literal(true), ...verified }),
    z.strictObject({ ...broken, ...verified }),
    z.strictObject(broken),
  ])
  .meta({
    id: 'Verification',
    examples: [{ ok: true, events: 5, head: hash, signed: null, readModel: { ok: true, revision: 4 } }],
  });

const verificationProgress = z
  .strictObject({ done: z.int().min(0), total: z.int().min(0) })
  .meta({ description: 'The number of verified events, and of all events' });

/**
 * An NDJSON line in the answer to a verification: the verdict on the last line, and the progress on all earlier lines.
 */
export const VerificationLine = z
  .union([verificationProgress, VerificationAnswer])
  .meta({ id: 'VerificationLine', examples: [{ done: 1_000, total: 5_000 }] });
export type VerificationLine = Immutable<z.infer<typeof VerificationLine>>;

export type ChangeLine = Immutable<z.infer<typeof ChangeLine>>;

const serverSentEvents = z
  .string()
  .meta({ examples: [`id: MQ\ndata: ${JSON.stringify(exampleEvent)}\n\n`] }) as z.ZodType as z.ZodType<never>;

const { 200: pageOrLines } = jsonOrLines(EventPageAnswer, HistoryEventAnswer);

/**
 * The answer to a read of events: one page, all events as NDJSON, or server-sent events that continue with new events.
 */
export const eventsAnswers: DeclaredAnswers<never> = {
  200: {
    description: 'A page, everything as NDJSON, or server-sent events that never end',
    content: { ...pageOrLines!.content, 'text/event-stream': serverSentEvents },
  },
};

/** Server-sent events for a client that stays connected; for other clients, NDJSON up to the log's current end. */
export const changeFeed: DeclaredAnswers<never> = {
  200: {
    description: 'The events after the cursor',
    content: {
      'text/event-stream': serverSentEvents,
      [NDJSON_TYPE]: ChangeLine as z.ZodType as z.ZodType<never>,
    },
  },
};

const cloudEvent = {
  specversion: z.literal('1.0'),
  datacontenttype: z.string(),
  id: z.string(),
  source: z.string(),
  type: z.string(),
  subject: z.string(),
  time: At,
};

/** One NDJSON line of an export: an event as a CloudEvent or, on the last line, the signed checkpoint. */
export const ExportLineAnswer = z
  .union([
    z.strictObject({ ...cloudEvent, data: z.strictObject(hashedFields).check(checkData) }),
    z.strictObject({ ...cloudEvent, data: z.strictObject({ checkpoint: z.string(), key: z.string() }) }),
  ])
  .meta({
    id: 'ExportLine',
    examples: [
      {
        ...{ specversion: '1.0', datacontenttype: 'application/json', id: exampleEvent.id, source: 'charter/1' },
        ...{ type: exampleEvent.type, subject: exampleEvent.stream, time: moment, data: exampleHashed },
      },
    ],
  });

/** The text of a signed checkpoint: the lines with its content, an empty line, and the signature. */
export const SignedNote = z.string().meta({
  examples: [
    'charter/1f0a3b5c\n5\nn4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=\ncovers all streams\nposition 00000000000000000005\nat 2026-11-21T10:00:00.000Z\n\n— charter HwoTtcAD\n',
  ],
});

export const VerifierKey = z.string().meta({ examples: ['charter.example+1f0a3b5c+AQID\n'] });
