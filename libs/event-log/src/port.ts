/** The event store port. Two adapters keep it: embedded SQLite and EventStoreDB; `describeEventLog` is its contract. */
export interface EventLog {
  /** Appends atomically to one stream; answers with the place of the last event. Refuses with a `LogError`. */
  append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<AppendResult>;
  /** One stream, from a revision on (inclusive). `not-found` on the first step if it never existed. */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<StoredEvent>;
  /** All streams in the order of commits, without system events. */
  readAll(options?: ReadAllOptions): AsyncIterable<StoredEvent>;
  /** What `readAll` reads, many events at a time: for rebuilds. Only where it is faster. */
  batches?(options?: ReadAllOptions): AsyncIterable<readonly StoredEvent[]>;
  /** What comes after a checkpoint (exclusive), for ever. At least once across reconnects. */
  subscribe(options: SubscribeOptions): AsyncIterable<Delivery>;
  /** The position of the last event, system events included; twenty zeros for an empty log. */
  head(): Promise<Position>;
  /** Which store this is, for ever. A checkpoint of another store is never believed. */
  identity(): Promise<string>;
  /** How many events lie after a position; only where the store can count. */
  lag?(from: Position): Promise<number>;
  /**
   * What other tools have set that makes the store drop events of a stream, in the store's own words; none where all is
   * well. Only where that can be set.
   */
  retentionSettings?(stream: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Whatever reads single streams and no more. */
export type StreamReader = Pick<EventLog, 'readStream'>;

export type ExpectedRevision = 'any' | 'no_stream' | 'stream_exists' | bigint;

/** A place in the whole log: opaque, sorts as text, strictly increasing. Twenty digits. */
export type Position = string;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type NewEvent = Readonly<{
  /** A UUID, chosen by the writer: the same append again is the same append. */
  id: string;
  type: string;
  data: object;
  metadata?: object;
}>;

export type StoredEvent = Readonly<{
  id: string;
  type: string;
  stream: string;
  revision: bigint;
  position: Position;
  data: unknown;
  /** Absent when the event was written without; `{}` stays `{}`. */
  metadata?: unknown;
  /** The store's own time. It decides nothing. */
  created: Date;
}>;

/** Milliseconds in all; the default is 4,000, so that HTTP can answer within 5 s. */
type WithDeadline = Readonly<{ deadline?: number }>;
export type AppendOptions = Readonly<{ expected: ExpectedRevision }> & WithDeadline;
export type ReadStreamOptions = Readonly<{
  from?: bigint | 'start' | 'end';
  direction?: 'forwards' | 'backwards';
  maxCount?: number;
}> &
  WithDeadline;
export type ReadAllOptions = Readonly<{
  // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- says which words a position may be
  from?: Position | 'start' | 'end';
  direction?: 'forwards' | 'backwards';
  maxCount?: number;
  /** Only streams whose names begin with one of these. */
  streamPrefixes?: readonly string[];
}> &
  WithDeadline;
export type SubscribeOptions = Readonly<{
  after: ProjectionCheckpoint | 'start' | 'end';
  streamPrefixes: readonly string[];
}>;

/** The place of the LAST event of an append. */
export type AppendResult = Readonly<{
  revision: bigint;
  position: Position;
  /** Whether the ids were known and nothing was written. Absent where the store does not tell. */
  repeated?: boolean;
}>;

export type Delivery =
  | Readonly<{ kind: 'event'; event: StoredEvent }>
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | Readonly<{ kind: 'caught-up' }>;

/** How far a reader has come, in which store. Without `lastEvent` nothing was handled yet. */
export type ProjectionCheckpoint = Readonly<{
  store: string;
  position: Position;
  lastEvent?: Readonly<{ position: Position; id: string }>;
}>;

/** Where an empty log ends. */
export const EMPTY_LOG_POSITION: Position = '0'.repeat(20);

export const positionOf = (place: bigint): Position => place.toString().padStart(20, '0');
