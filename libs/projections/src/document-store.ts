import type { Folded, Moment } from '@charter/decider';
import type { ProjectionCheckpoint, Position } from '@charter/event-log';
import type { ListedRow } from './view';

/**
 * Where the documents of one view are kept. Documents of one build are an edition: one edition is live and answers
 * questions, another may be filled beside it, and the one before stays until it is dropped.
 */
export interface DocumentStore<State> {
  /** The edition that answers questions, if there is one. @throws Outdated when it is of a newer version. */
  live(): Promise<Edition<State> | undefined>;
  /**
   * A new, empty edition of this version. Those that were begun and never finished are given up.
   * @throws BeingBuilt while somebody else fills one, unless it is taken from them
   */
  begin(options?: Readonly<{ takeOver?: boolean }>): Promise<Edition<State>>;
  /** Gives up an edition that is being filled. */
  abandon(edition: Edition<State>): Promise<void>;
  /** Deletes what was given up. */
  sweep(): Promise<void>;
  /**
   * Lets this edition answer from now on. False, and nothing is done, while the live one has come further; unless that was in
   * a log that is gone: an older copy of it was restored.
   */
  activate(edition: Edition<State>, options?: Readonly<{ liveIsOfLostLog?: boolean }>): Promise<boolean>;
  /** All that there are, the newest first. */
  editions(): Promise<readonly EditionSummary[]>;
  /** Ends what is neither live nor being built; answers with the number of editions dropped. */
  dropRetired(): Promise<number>;
  /** Whoever projects this view stops until `resume`, in whichever process it is. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks whoever projects to fold a parked stream again. False: it is not parked. */
  release(stream: string): Promise<boolean>;
}

/** The documents of one build of a view: streams, each folded up to a revision. */
export interface Edition<State> {
  readonly id: number;
  readonly version: number;
  status(): Promise<EditionStatus>;
  get(stream: string): Promise<Folded<State> | undefined>;
  /** Copies of their own for every caller; streams without a document are missing. */
  getMany(streams: readonly string[]): Promise<Map<string, Folded<State>>>;
  /** How many documents there are. */
  size(): Promise<number>;
  /** How far documents are; streams without one are missing. */
  revisions(streams: readonly string[]): Promise<Map<string, number>>;
  /** Documents in the order of their streams' names, after (or from) a name, and the standing of the same moment. */
  page(after: string, size: number, first?: 'inclusive'): Promise<DocumentPage<State>>;
  /**
   * All of it or none of it, and only while the checkpoint still is `from`: of two projectors, one loses at once.
   * @throws Overtaken when somebody else has moved the checkpoint, or the edition no longer counts.
   */
  commit(change: EditionChange<State>): Promise<void>;
  /** Says how far the log was read for an edition that is being filled, and that somebody is at it. @throws Overtaken */
  report(reached: Position): Promise<void>;
}

/** One edition, as operators see it. */
export type EditionSummary = Readonly<{
  edition: number;
  version: number;
  /** `interrupted`: begun, not finished, and nobody has been heard of who fills it. */
  place: 'live' | 'building' | 'interrupted' | 'retired';
  /** How far the log was read for it. */
  position: Position;
}>;

/** The moment that a commit begins at: of two who begin at the same one, one is overtaken. */
export type EditionCursor = Readonly<{
  checkpoint: ProjectionCheckpoint | undefined;
  /** How often something was committed: a checkpoint alone stands still while a parked stream is folded on. */
  commits: number;
}>;

export type EditionChange<State> = Readonly<{
  from: EditionCursor;
  to: ProjectionCheckpoint;
  documents: ReadonlyMap<string, Folded<State>>;
  /** How these documents stand in lists; a stream that is missing here stands in none. */
  rows: ReadonlyMap<string, ListedRow>;
  /** Streams that wait from now on, or go on waiting. */
  parked?: ReadonlyMap<string, ParkedStream>;
  /** Streams that wait no longer. */
  unparked?: readonly string[];
  /** Askings to fold a stream again that this answers, by the number that `Standing` gave them. Later ones stay asked. */
  answered?: ReadonlyMap<string, number>;
}>;

/** A stream that waits at an event which could not be folded. */
export type ParkedStream = Readonly<{
  revision: number;
  /** The event's type and position; empty for what was parked before Charter kept them. */
  type: string;
  position: Position;
  error: string;
  attempts: number;
  since: Moment;
}>;

/** Where an edition stands, and what operators ask of whoever projects it. */
export type EditionStatus = EditionCursor &
  Readonly<{
    parked: ReadonlyMap<string, ParkedStream>;
    /** Parked streams that somebody wants to be folded again, and how often this was asked. */
    released: ReadonlyMap<string, number>;
    paused: boolean;
    place: 'live' | 'building' | 'retired';
  }>;

export type DocumentPage<State> = Readonly<{
  documents: readonly Readonly<{ stream: string; document: Folded<State>; row: ListedRow | undefined }>[];
  status: EditionStatus;
}>;

/** The right to project, held by one process at a time. It saves work; correctness does not rest on it. */
export interface Lease {
  /** Takes it or keeps it. True while it is ours. Cheap: the store is asked only when the time is running out. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
  /** Who has it, whoever that is; nothing: nobody does. */
  held(): Promise<Readonly<{ holder: string; until: Moment }> | undefined>;
}

/** Somebody else has moved on: step aside, read the checkpoint again. */
export class Overtaken extends Error {
  constructor(what: string) {
    super(`${what} was moved on by somebody else.`);
    this.name = 'Overtaken';
  }
}

/** A rebuild is under way already. */
export class RebuildInProgress extends Error {
  constructor(view: string, edition: number, heardOf: Moment) {
    super(`Edition ${edition} of ${view} is being built by somebody else, last heard of at ${heardOf}.`);
    this.name = 'RebuildInProgress';
  }
}

/** There are no documents of this version that could be listed. */
export class ReadModelNotBuilt extends Error {
  constructor(view: string, version: number) {
    super(`Version ${version} of ${view} is not built yet.`);
    this.name = 'ReadModelNotBuilt';
  }
}

/** The live documents were made by newer code than this. */
export class Outdated extends Error {
  constructor(view: string, live: number, own: number) {
    super(`The live documents of ${view} are of version ${live}; this code only knows version ${own}.`);
    this.name = 'Outdated';
  }
}
