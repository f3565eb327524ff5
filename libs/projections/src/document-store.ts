import type { Folded, Moment } from '@charter/decider';
import type { ProjectionCheckpoint, Position } from '@charter/event-log';
import type { ListedRow } from './view';

/**
 * Stores the documents of one view. An edition is one complete build of the read model. One edition is live and answers
 * queries. A process may be building another edition. A replaced edition is stored until an operator drops it.
 */
export interface DocumentStore<State> {
  /**
   * The edition that answers queries; `undefined` if no edition is live.
   * @throws Outdated if newer code made the edition
   */
  live(): Promise<Edition<State> | undefined>;
  /**
   * Creates a new, empty edition of this code's version of the view. Abandons earlier unfinished editions.
   * @throws RebuildInProgress while another process builds an edition, unless `takeOver` is true
   */
  begin(options?: Readonly<{ takeOver?: boolean }>): Promise<Edition<State>>;
  /** Abandons an edition that is under construction. */
  abandon(edition: Edition<State>): Promise<void>;
  /** Deletes the abandoned editions. */
  sweep(): Promise<void>;
  /**
   * Makes this edition live; the edition that was live is then replaced. Returns false, and changes nothing, if the
   * live edition's checkpoint is further ahead. With `liveIsOfLostLog` the checkpoint of the live edition does not
   * count: an operator has restored an older copy of the log, so the log of the live edition is lost.
   */
  activate(edition: Edition<State>, options?: Readonly<{ liveIsOfLostLog?: boolean }>): Promise<boolean>;
  /** All editions except the abandoned editions, newest first. */
  editions(): Promise<readonly EditionSummary[]>;
  /** Deletes every replaced edition; returns the number of deleted editions. */
  dropRetired(): Promise<number>;
  /** Pauses the projector of this view, in any process, until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Requests that the projector fold a parked stream again. Returns false if the stream is not parked. */
  release(stream: string): Promise<boolean>;
}

/** The documents of one build of a view. Each document is the state of one stream, folded up to a revision. */
export interface Edition<State> {
  readonly id: number;
  readonly version: number;
  status(): Promise<EditionStatus>;
  get(stream: string): Promise<Folded<State> | undefined>;
  /** Returns new copies of the documents to each caller. The map has no entry for a stream without a document. */
  getMany(streams: readonly string[]): Promise<Map<string, Folded<State>>>;
  /** The number of documents. */
  size(): Promise<number>;
  /** The revision of each document. The map has no entry for a stream without a document. */
  revisions(streams: readonly string[]): Promise<Map<string, number>>;
  /**
   * A page of documents, sorted by stream name, and the edition's status at the same moment. The page begins after the
   * name `after`; with `inclusive`, it begins at this name.
   */
  page(after: string, size: number, first?: 'inclusive'): Promise<DocumentPage<State>>;
  /** The fingerprints of the documents after the name `after`, sorted by stream name. */
  fingerprints(after: string, size: number): Promise<readonly DocumentFingerprint[]>;
  /**
   * Commits all parts of a change, or no part. The commit succeeds only if the edition's cursor is still `from`, so
   * only one of two projectors succeeds (`event-log.md` D1).
   * @throws Overtaken if another process has moved the checkpoint, or the edition was abandoned
   */
  commit(change: EditionChange<State>): Promise<void>;
  /**
   * Updates the database's statistics after a build has written many documents. Without the statistics, PostgreSQL
   * reads all list rows of the edition for each document on a page.
   */
  analyze(): Promise<void>;
  /**
   * Reports the position up to which the builder of an unfinished edition has read the log. The report also shows that
   * the builder still runs.
   * @throws Overtaken
   */
  report(reached: Position): Promise<void>;
}

/** The facts about one edition that operators see. */
export type EditionSummary = Readonly<{
  edition: number;
  version: number;
  /** `interrupted`: the edition is unfinished, and its builder has stopped reporting. */
  place: 'live' | 'building' | 'interrupted' | 'retired';
  /** The position up to which the log was read for this edition. */
  position: Position;
}>;

/** The state from which a commit starts. If two commits start from the same state, one of them throws `Overtaken`. */
export type EditionCursor = Readonly<{
  checkpoint: ProjectionCheckpoint | undefined;
  /**
   * The number of commits. The number of commits also changes when the projector folds a parked stream, although the
   * checkpoint stays the same.
   */
  commits: number;
}>;

export type EditionChange<State> = Readonly<{
  from: EditionCursor;
  to: ProjectionCheckpoint;
  documents: ReadonlyMap<string, Folded<State>>;
  /** The list rows of the changed documents. A document without a row is not in any list. */
  rows: ReadonlyMap<string, ListedRow>;
  /** Streams that this change parks or keeps parked. */
  parked?: ReadonlyMap<string, ParkedStream>;
  /** Streams that this change unparks. */
  unparked?: readonly string[];
  /**
   * For each released stream, the number of releases at the moment when the projector read the `EditionStatus`. The
   * commit marks the counted releases as handled. A later commit handles a release that arrives later.
   */
  answered?: ReadonlyMap<string, number>;
}>;

/** A stream with an event that cannot be folded. The document of the stream has the state before this event. */
export type ParkedStream = Readonly<{
  revision: number;
  /**
   * The type and position of the event that Charter cannot fold. Empty if an older version of Charter, which stored
   * neither type nor position, parked the stream.
   */
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
    /** The parked streams that an operator has released, each with its number of releases. */
    released: ReadonlyMap<string, number>;
    paused: boolean;
    place: 'live' | 'building' | 'retired';
  }>;

export type DocumentPage<State> = Readonly<{
  documents: readonly ListedDocument<State>[];
  status: EditionStatus;
}>;

/** A document of a stream, and its row in lists. */
export type ListedDocument<State> = Readonly<{ stream: string; document: Folded<State>; row: ListedRow | undefined }>;

/** A hash of a stored document. Documents with equal fingerprints are equal. */
export type DocumentFingerprint = Readonly<{
  stream: string;
  revision: number;
  /** The SHA-256 hash of the stored texts of the document and of its list row, without the stream and the revision. */
  hash: string;
}>;

/**
 * The right to run the projector of a view. Only one process at a time has the right to run the projector. The lease
 * only avoids double work: even without it, the compare-and-set of commits keeps the documents correct.
 */
export interface Lease {
  /**
   * Takes the lease or renews it. Returns true while this process holds the lease. The holder sends a query only when a
   * third of the lease's time has passed.
   */
  hold(): Promise<boolean>;
  release(): Promise<void>;
  /** The holder of the lease in any process; `undefined` if no process holds it. */
  held(): Promise<Readonly<{ holder: string; until: Moment }> | undefined>;
}

/**
 * Thrown when another process has moved the checkpoint. The caller stops its work and reads the checkpoint from the
 * store.
 */
export class Overtaken extends Error {
  constructor(what: string) {
    super(`${what} was changed or abandoned by another process.`);
    this.name = 'Overtaken';
  }
}

/** Another process is building an edition. */
export class RebuildInProgress extends Error {
  constructor(view: string, edition: number, lastReport: Moment) {
    super(`Edition ${edition} of ${view} is being built by another process, which last reported at ${lastReport}.`);
    this.name = 'RebuildInProgress';
  }
}

/** Thrown when lists of this version cannot be read from the live edition. An empty list would be wrong. */
export class ReadModelNotBuilt extends Error {
  constructor(view: string, version: number) {
    super(`Version ${version} of ${view} is not built yet.`);
    this.name = 'ReadModelNotBuilt';
  }
}

/** Thrown when newer code made the live documents. */
export class Outdated extends Error {
  constructor(view: string, live: number, own: number) {
    super(`The live documents of ${view} are of version ${live}; this code only knows version ${own}.`);
    this.name = 'Outdated';
  }
}
