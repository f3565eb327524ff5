import type { EntitlementConnection } from './connection.js';
import type { EntitlementStore, FreshnessState } from './entitlement-store.js';
import { Fatal, NotReady } from './errors.js';
import type { ChangeListener } from './listeners.js';
import type { FeatureName, LimitValue, ResourceName, WhyReason } from './values.js';

export type EntitlementFreshness = Readonly<{
  state: FreshnessState;
  /** Fresh: the beginning of this state. Stale: the last moment at which the values were known to be current. */
  since: Date;
  /** The revision of the values; undefined without values. */
  revision: number | undefined;
}>;

/** The features and limits of one organization, answered in this process. */
export class CharterOrganization {
  readonly id: string;
  readonly #store: EntitlementStore;
  readonly #connection: EntitlementConnection;

  constructor(store: EntitlementStore, connection: EntitlementConnection) {
    [this.id, this.#store, this.#connection] = [store.id, store, connection];
  }

  /**
   * Whether the feature is on. Without values, returns the fallback.
   *
   * @throws NotReady or Fatal without values and without a fallback, and TypeError for an unknown name
   */
  can(feature: FeatureName, fallback?: boolean): boolean {
    return this.#store.values?.on.get(feature) ?? this.#missing(feature, fallback);
  }

  /**
   * A limit. The limit is advice: Charter decides about each change on the organization's stream.
   *
   * @throws as `can`
   */
  limit(resource: ResourceName, fallback?: LimitValue): LimitValue {
    return this.#store.values?.limits.get(resource) ?? this.#missing(resource, fallback);
  }

  /**
   * The reasons of a feature or a limit.
   *
   * @throws as `can`
   */
  why(key: FeatureName | ResourceName): readonly WhyReason[] {
    return this.#store.values?.why.get(key) ?? this.#missing<readonly WhyReason[]>(key);
  }

  get freshness(): EntitlementFreshness {
    const { state, since, revision } = this.#store;
    return { state, since, revision };
  }

  /**
   * Waits until there are values.
   *
   * @throws NotReady after `timeoutMs`, or Fatal
   */
  async ready({ timeoutMs = 10_000 }: Readonly<{ timeoutMs?: number }> = {}): Promise<void> {
    if (this.#store.values) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      const unsubscribe = this.#store.subscribe(() => {
        if (this.#store.values || this.#store.state === 'fatal') end();
      });
      if (this.#store.state === 'fatal') end();
    });
    if (this.freshness.revision === undefined) throw this.#absence();
  }

  /**
   * Requests the entitlements from Charter. With `atLeast`, sends no request if the values are fresh and include this
   * revision. Later calls of `can` and `limit` use the answer, too.
   */
  ask(key: FeatureName, options?: AskOptions): Promise<boolean>;
  ask(key: ResourceName, options?: AskOptions): Promise<LimitValue>;
  async ask(key: FeatureName | ResourceName, { atLeast }: AskOptions = {}): Promise<boolean | LimitValue> {
    const isOld = () =>
      atLeast === undefined || (this.#store.revision ?? -1) < atLeast || this.#store.state !== 'fresh';
    if (isOld()) {
      if (this.#connection.refusal !== undefined) throw this.#absence();
      this.#store.wanted = Math.max(this.#store.wanted, atLeast ?? -1);
      await this.#connection.refresh(this.#store);
    }
    const { on, limits } = this.#store.values ?? {};
    return on?.get(key) ?? limits?.get(key) ?? this.#missing<boolean | LimitValue>(key);
  }

  /**
   * Calls the listener after each change, with the names of the changed features and limits. After a change of
   * `freshness` alone, the list is empty. An error of a listener becomes an uncaught error, as with `EventTarget`.
   */
  subscribe(listener: ChangeListener): () => void {
    return this.#store.subscribe(listener);
  }

  #missing<Answer>(key: string, fallback?: Answer): Answer {
    if (this.#store.values) throw new TypeError(`There is no feature or limit with the name ${key} here.`);
    if (fallback === undefined) throw this.#absence();
    return fallback;
  }

  #absence(): Error {
    const { id, state, failure: cause } = this.#store;
    return state === 'fatal'
      ? new Fatal(`Charter refuses to show the entitlements of the organization ${id}.`, { cause })
      : new NotReady(`There are no entitlements of the organization ${id} yet.`, { cause });
  }
}

export type AskOptions = Readonly<{ atLeast?: number }>;
