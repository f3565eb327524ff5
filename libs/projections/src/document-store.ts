import type { Folded, Moment } from '@charter/decider';
import type { ProjectionCheckpoint, Position } from '@charter/event-log';
import type { ListedRow } from './view';

/**
 * Stores the documents of one view. An edition is one complete build of the read model. One edition is live and answers
 * queries, and another may be built at the same time. A replaced edition stays until it is dropped.
 */
export interface DocumentStore<State> {
  /** The edition that answers queries, if there is one. @throws Outdated if newer code built it */
  live(): Promise<Edition<State> | undefined>;
  /**
   * Creates a new, empty edition of this version. Earlier unfinished editions are abandoned.
   * @throws RebuildInProgress while another process builds one, unless `takeOver`
   */
  begin(options?: Readonly<{ takeOver?: boolean }>): Promise<Edition<State>>;
  /** Abandons an edition whose build has not ended. */
  abandon(edition: Edition<State>): Promise<void>;
  /** Deletes the abandoned editions. */
  sweep(): Promise<void>;
  /**
   * Makes this edition the live one. If the live edition has handled more events, returns false and changes nothing.
   * With `liveIsOfLostLog` the progress of the live edition is ignored, because an older copy of the log was restored.
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
  /** Documents of these streams, copied for each caller. Streams without a document are missing. */
  getMany(streams: readonly string[]): Promise<Map<string, Folded<State>>>;
  /** The number of documents. */
  size(): Promise<number>;
  /** The revision of each document. Streams without a document are missing. */
  revisions(streams: readonly string[]): Promise<Map<string, number>>;
  /** Documents in the order of stream names, after (or from) a name. Also the status of the edition at that moment. */
  page(after: string, size: number, first?: 'inclusive'): Promise<DocumentPage<State>>;
  /**
   * Commits a change as a whole, and only while the checkpoint still is `from` (`event-log.md` D1). So of two
   * projectors one fails.
   * @throws Overtaken if another process moved the checkpoint, or the edition was abandoned
   */
  commit(change: EditionChange<State>): Promise<void>;
  /** Reports the position that a build has reached, and shows that its process still works. @throws Overtaken */
  report(reached: Position): Promise<void>;
}

/** One edition, as operators see it. */
export type EditionSummary = Readonly<{
  edition: number;
  version: number;
  /** `interrupted`: unfinished, and the building process has not reported for a while. */
  place: 'live' | 'building' | 'interrupted' | 'retired';
  /** How far the log was read for it. */
  position: Position;
}>;

/** The state that a commit expects. Of two commits with equal cursors, one is `Overtaken`. */
export type EditionCursor = Readonly<{
  checkpoint: ProjectionCheckpoint | undefined;
  /** The number of commits. A commit that only folds a parked stream changes this number, but not the checkpoint. */
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
  /** The releases that this commit handles, by their number in `EditionStatus`. Later releases stay open. */
  answered?: ReadonlyMap<string, number>;
}>;

/** A stream that waits because one of its events cannot be folded. */
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
 * The right to project, which one process holds at a time. It only avoids double work: the compare-and-set of commits
 * guarantees correctness.
 */
export interface Lease {
  /**
   * Takes or renews the lease. True while this process holds it. Queries the store only shortly before the lease ends.
   */
  hold(): Promise<boolean>;
  release(): Promise<void>;
  /** The holder of the lease in any process; `undefined` if it is free. */
  held(): Promise<Readonly<{ holder: string; until: Moment }> | undefined>;
}

/** Thrown when another process has moved the checkpoint. The caller stops writing and reads the checkpoint again. */
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

/** Thrown when no edition of this version exists that could answer a list. */
export class ReadModelNotBuilt extends Error {
  constructor(view: string, version: number) {
    super(`Version ${version} of ${view} is not built yet.`);
    this.name = 'ReadModelNotBuilt';
  }
}

/** Thrown when newer code has built the live documents. */
export class Outdated extends Error {
  constructor(view: string, live: number, own: number) {
    super(`The live documents of ${view} are of version ${live}; this code only knows version ${own}.`);
    this.name = 'Outdated';
  }
}
