import type { Folded, Moment } from '@charter/decider';
import type { ProjectionCheckpoint, Position } from '@charter/event-log';
import type { ListedRow } from './view';

/**
 * Stores the documents of one view. An edition is one complete build of the read model: one edition is live and answers
 * queries, another may be built beside it, and a replaced one stays until it is dropped.
 */
export interface DocumentStore<State> {
  /** The edition that answers queries, if there is one. @throws Outdated if it is of a newer version */
  live(): Promise<Edition<State> | undefined>;
  /**
   * Creates a new, empty edition of this version. Earlier unfinished editions are given up.
   * @throws RebuildInProgress while another process builds one, unless `takeOver`
   */
  begin(options?: Readonly<{ takeOver?: boolean }>): Promise<Edition<State>>;
  /** Gives up an edition that is being built. */
  abandon(edition: Edition<State>): Promise<void>;
  /** Deletes the editions that were given up. */
  sweep(): Promise<void>;
  /**
   * Makes this edition the live one. Returns false, and does nothing, while the live edition has come further. With
   * `liveIsOfLostLog` it does not matter how far that one came: an older copy of the log was restored.
   */
  activate(edition: Edition<State>, options?: Readonly<{ liveIsOfLostLog?: boolean }>): Promise<boolean>;
  /** All editions, the newest first. */
  editions(): Promise<readonly EditionSummary[]>;
  /** Deletes every edition that is neither live nor being built; returns their number. */
  dropRetired(): Promise<number>;
  /** Pauses the projector of this view, in whichever process it runs, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks the projector to fold a parked stream again. False if the stream is not parked. */
  release(stream: string): Promise<boolean>;
}

/** The documents of one build of a view; each is a stream folded up to a revision. */
export interface Edition<State> {
  readonly id: number;
  readonly version: number;
  status(): Promise<EditionStatus>;
  get(stream: string): Promise<Folded<State> | undefined>;
  /** A copy for each caller. Streams without a document are missing. */
  getMany(streams: readonly string[]): Promise<Map<string, Folded<State>>>;
  /** The number of documents. */
  size(): Promise<number>;
  /** The revision of each document. Streams without a document are missing. */
  revisions(streams: readonly string[]): Promise<Map<string, number>>;
  /** Documents in the order of their streams' names, after (or from) a name, with the status at the same moment. */
  page(after: string, size: number, first?: 'inclusive'): Promise<DocumentPage<State>>;
  /**
   * Commits a change whole, and only while the checkpoint still is `from` (`event-log.md` D1): of two projectors one
   * fails.
   * @throws Overtaken if another process moved the checkpoint, or the edition was given up
   */
  commit(change: EditionChange<State>): Promise<void>;
  /** Reports how far the log was read for an edition in construction, as a sign of life. @throws Overtaken */
  report(reached: Position): Promise<void>;
}

/** One edition, as operators see it. */
export type EditionSummary = Readonly<{
  edition: number;
  version: number;
  /** `interrupted`: unfinished, and its builder has not reported for a while. */
  place: 'live' | 'building' | 'interrupted' | 'retired';
  /** How far the log was read for it. */
  position: Position;
}>;

/** The state from which a commit starts: of two commits from the same state, one is `Overtaken`. */
export type EditionCursor = Readonly<{
  checkpoint: ProjectionCheckpoint | undefined;
  /** The number of commits. The checkpoint alone does not move when a parked stream is folded. */
  commits: number;
}>;

export type EditionChange<State> = Readonly<{
  from: EditionCursor;
  to: ProjectionCheckpoint;
  documents: ReadonlyMap<string, Folded<State>>;
  /** The rows of these documents in lists. A stream without a row is not listed. */
  rows: ReadonlyMap<string, ListedRow>;
  /** Streams that become parked or stay parked. */
  parked?: ReadonlyMap<string, ParkedStream>;
  /** Streams that are no longer parked. */
  unparked?: readonly string[];
  /** Releases that this commit handles, by the count in `EditionStatus`. Later releases stay open. */
  answered?: ReadonlyMap<string, number>;
}>;

/** A stream that waits at an event which cannot be folded. */
export type ParkedStream = Readonly<{
  revision: number;
  /** The event's type and position; empty for streams parked by a version that did not store them. */
  type: string;
  position: Position;
  error: string;
  attempts: number;
  since: Moment;
}>;

/** The state of an edition, and the operator's requests to the projector. */
export type EditionStatus = EditionCursor &
  Readonly<{
    parked: ReadonlyMap<string, ParkedStream>;
    /** Parked streams that an operator released, with the number of releases. */
    released: ReadonlyMap<string, number>;
    paused: boolean;
    place: 'live' | 'building' | 'retired';
  }>;

export type DocumentPage<State> = Readonly<{
  documents: readonly Readonly<{ stream: string; document: Folded<State>; row: ListedRow | undefined }>[];
  status: EditionStatus;
}>;

/**
 * The right to project, held by one process at a time. It saves work; the compare-and-set of commits guards
 * correctness.
 */
export interface Lease {
  /** Takes or renews the lease. True while this process holds it. Asks the store only when the time runs out. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
  /** The holder of the lease in any process; `undefined` if it is free. */
  held(): Promise<Readonly<{ holder: string; until: Moment }> | undefined>;
}

/** Another process has moved the checkpoint. The caller stops writing and reads the checkpoint again. */
export class Overtaken extends Error {
  constructor(what: string) {
    super(`${what} was moved on by another process.`);
    this.name = 'Overtaken';
  }
}

/** Another process is building an edition. */
export class RebuildInProgress extends Error {
  constructor(view: string, edition: number, heardOf: Moment) {
    super(`Edition ${edition} of ${view} is being built by another process, which last reported at ${heardOf}.`);
    this.name = 'RebuildInProgress';
  }
}

/** No edition of this version exists whose documents could be listed. */
export class ReadModelNotBuilt extends Error {
  constructor(view: string, version: number) {
    super(`Version ${version} of ${view} is not built yet.`);
    this.name = 'ReadModelNotBuilt';
  }
}

/** Newer code has made the live documents. */
export class Outdated extends Error {
  constructor(view: string, live: number, own: number) {
    super(`The live documents of ${view} are of version ${live}; this code only knows version ${own}.`);
    this.name = 'Outdated';
  }
}
