import type { EntitlementConnection } from './connection.js';
import type { ChangeListener, EntitlementStore, FreshnessState } from './entitlement-store.js';
import { Fatal, NotReady } from './errors.js';
import type { FeatureName, LimitValue, ResourceName, WhyReason } from './values.js';

export type EntitlementFreshness = Readonly<{
  state: FreshnessState;
  /** Fresh: the beginning of this state. Stale: the last moment at which the values were known to be current. */
  since: Date;
  /** The revision of the values; undefined without values. */
  revision: number | undefined;
}>;

/** The values of one organization, from the moment at which the client takes it until the client drops it. */
export type HeldOrganization = {
  readonly store: EntitlementStore;
  readonly connection: EntitlementConnection;
  /** The object that the program has. */
  object?: CharterOrganization;
  lastUse: number;
  isDropped: boolean;
};

export type HeldOrganizations = Readonly<{
  all: () => readonly HeldOrganization[];
  /** Counts a use. Takes the organization if the client does not hold it. */
  of: (id: string) => HeldOrganization;
  /** Counts a use. Takes the organization again if the client has dropped it. */
  use: (held: HeldOrganization) => HeldOrganization;
}>;

/**
 * The features and limits of one organization, answered in this process. If the client holds too many organizations, it
 * drops the values of the least recently used organization. The next use of this object fetches them again. An
 * organization with a subscriber keeps its values.
 */
export class CharterOrganization {
  readonly id: string;
  readonly #all: HeldOrganizations;
  #held: HeldOrganization;

  constructor(held: HeldOrganization, all: HeldOrganizations) {
    [this.id, this.#held, this.#all] = [held.store.id, held, all];
  }

  /**
   * Whether the feature is on. Without values, returns the fallback.
   *
   * @throws NotReady or Fatal without values and without a fallback, and TypeError for an unknown name
   */
  can(feature: FeatureName, fallback?: boolean): boolean {
    return this.#used().values?.on.get(feature) ?? this.#missing(feature, fallback);
  }

  /**
   * A limit. The limit is advice: Charter decides about each change on the organization's stream.
   *
   * @throws as `can`
   */
  limit(resource: ResourceName, fallback?: LimitValue): LimitValue {
    return this.#used().values?.limits.get(resource) ?? this.#missing(resource, fallback);
  }

  /**
   * The reasons of a feature or a limit.
   *
   * @throws as `can`
   */
  why(key: FeatureName | ResourceName): readonly WhyReason[] {
    return this.#used().values?.why.get(key) ?? this.#missing<readonly WhyReason[]>(key);
  }

  get freshness(): EntitlementFreshness {
    const { state, since, revision } = this.#used();
    return { state, since, revision };
  }

  /**
   * Waits until there are values.
   *
   * @throws NotReady after `timeoutMs`, or Fatal
   */
  async ready({ timeoutMs = 10_000 }: Readonly<{ timeoutMs?: number }> = {}): Promise<void> {
    const store = this.#used();
    const isSettled = () => store.values !== undefined || store.state === 'fatal';
    if (!isSettled())
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          unsubscribe();
          resolve();
        };
        const timer = setTimeout(end, timeoutMs);
        const unsubscribe = store.subscribe(() => isSettled() && end());
      });
    if (store.revision === undefined) throw this.#absence();
  }

  /**
   * Requests the entitlements from Charter. With `atLeast`, sends no request if the values are fresh and include this
   * revision. Later calls of `can` and `limit` use the answer, too.
   *
   * @throws an error if Charter does not answer, or if the organization does not have the revision
   */
  ask(key: FeatureName, options?: AskOptions): Promise<boolean>;
  ask(key: ResourceName, options?: AskOptions): Promise<LimitValue>;
  async ask(key: FeatureName | ResourceName, { atLeast }: AskOptions = {}): Promise<boolean | LimitValue> {
    const store = this.#used();
    // Each comparison with an absent revision is false.
    if (!(store.revision! >= atLeast! && store.state === 'fresh')) {
      if (this.#held.connection.refusal) throw this.#absence();
      const unsubscribe = store.subscribe(() => undefined); // the client must not drop the store before the answer
      await this.#held.connection.refresh(store, atLeast).finally(unsubscribe);
    }
    const { on, limits } = store.values ?? {};
    return on?.get(key) ?? limits?.get(key) ?? this.#missing<boolean | LimitValue>(key);
  }

  /**
   * Calls the listener after each change, with the names of the changed features and limits. After a change of
   * `freshness` alone, the list is empty. An error of a listener becomes an uncaught error, as with `EventTarget`.
   */
  subscribe(listener: ChangeListener): () => void {
    return this.#used().subscribe(listener);
  }

  /** The values, which now count as used. */
  #used(): EntitlementStore {
    this.#held = this.#all.use(this.#held);
    this.#held.object ??= this;
    return this.#held.store;
  }

  #missing<Answer>(key: string, fallback?: Answer): Answer {
    if (this.#held.store.values) throw new TypeError(`There is no feature or limit ${key}.`);
    if (fallback === undefined) throw this.#absence();
    return fallback;
  }

  #absence(): Error {
    const { id, state, failure: cause } = this.#held.store;
    return state === 'fatal'
      ? new Fatal(`Charter refuses the entitlements of the organization ${id}.`, { cause })
      : new NotReady(`There are no entitlements of the organization ${id} yet.`, { cause });
  }
}

export type AskOptions = Readonly<{ atLeast?: number }>;
