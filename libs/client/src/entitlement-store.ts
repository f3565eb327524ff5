import { Observable } from './observable.js';
import { changedKeys, type Values, type ValueSource, preparedValues } from './values.js';

/**
 * Fresh: the stream of notices is open, and the values are current. Stale: the values may be old. Fatal: Charter
 * refuses the credentials, or this organization does not exist for them, so the client has dropped the values.
 */
export type FreshnessState = 'fresh' | 'stale' | 'fatal';

/** Receives the names of the features and limits that have changed. */
export type ChangeListener = (keys: readonly string[]) => void;

/** Receives the names of the features and limits that have changed, and the state of the stream. */
export type ClientListener = (keys: readonly string[], state: FreshnessState) => void;

/** Values with their ETag; `same` if the ETag of the request is still current. */
export type Fetched = Readonly<{ etag: string | undefined; source: ValueSource }> | 'same';

/** The values of one organization, and how current they are. */
export class EntitlementStore extends Observable<Parameters<ChangeListener>> {
  values: Values | undefined;
  etag: string | undefined;
  state: FreshnessState = 'stale';
  /** Fresh: the beginning of this state. Stale: the last moment at which the values were known to be current. */
  since = new Date();
  /** The newest revision that a notice named; -1 if there is none. */
  wanted = -1;
  /** The newest failed request. */
  failure: unknown;
  /** Resolves after the last request. The next request waits, so an older answer never replaces a newer answer. */
  last: Promise<void> = Promise.resolve();
  /** Also receives the changes. It is no subscriber, so the client can still drop the store. */
  readonly #changed: ChangeListener | undefined;

  constructor(
    readonly id: string,
    changed?: ChangeListener,
  ) {
    super();
    this.#changed = changed;
  }

  get revision(): number | undefined {
    return this.values?.source.revision;
  }

  apply(fetched: Fetched): void {
    this.failure = undefined;
    if (fetched === 'same') return;
    this.etag = fetched.etag;
    this.#replace(preparedValues(fetched.source, this.values));
  }

  /** Changes the state, and calls the listeners with an empty list of keys. */
  become(state: FreshnessState, since = new Date()): void {
    if (this.state === state) return;
    [this.state, this.since] = [state, since];
    this.announce([]);
  }

  /** Drops the values, because Charter refuses the requests. */
  fail(error: unknown): void {
    this.failure = error;
    this.drop();
    this.become('fatal');
  }

  /** Removes the values, so that the program cannot read them any more. */
  drop(): void {
    this.etag = undefined;
    this.#replace(undefined);
  }

  #replace(values: Values | undefined): void {
    const keys = changedKeys(this.values, values);
    this.values = values;
    this.announce(keys);
    if (keys.length > 0) this.#changed?.(keys);
  }
}
