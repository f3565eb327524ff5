import {
  ErrorCode,
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
} from '@openfeature/server-sdk';
import type { CharterClient } from './charter.js';
import type { CharterOrganization } from './charter-organization.js';
import type { FreshnessState } from './entitlement-store.js';
import { Fatal, isRefusedAccess, NotReady } from './errors.js';
import { limitNames } from './types.js';
import type { FeatureName, ResourceName } from './values.js';

/** The value of an unlimited amount: the largest integer of 32 bits, as on `/ofrep`. */
const UNLIMITED = 2_147_483_647;

/**
 * A provider for OpenFeature's server SDK that evaluates in this process. `targetingKey` is the id of an organization.
 * The flags are the features, and `limit.` and `remaining.` with the name of each resource. The provider is stale while
 * the client's stream is broken, and fails if Charter refuses the API key. An organization that does not exist changes
 * only its own evaluations. When the SDK closes or replaces the provider, the provider closes the client.
 */
export class CharterFlagProvider implements Provider {
  readonly metadata = { name: 'charter' } as const;
  readonly runsOn = 'server';
  readonly events = new OpenFeatureEventEmitter();
  private readonly unsubscribe: () => void;

  constructor(
    private readonly charter: CharterClient,
    /** The longest wait for the values of an organization that the client does not hold yet. */
    private readonly readyWithinMs = 2_000,
  ) {
    let before: FreshnessState | undefined;
    this.unsubscribe = charter.subscribe((keys, state) => {
      if (keys.length > 0) this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: flagsOf(keys) });
      else if (state !== before) this.events.emit(eventOf[(before = state)], { message: messages[state] });
    });
  }

  resolveBooleanEvaluation(flag: string, fallback: boolean, context: EvaluationContext) {
    return this.resolve(flag, 'boolean', fallback, context);
  }

  resolveNumberEvaluation(flag: string, fallback: number, context: EvaluationContext) {
    return this.resolve(flag, 'number', fallback, context);
  }

  /** Charter's client has no values that are texts: only the OFREP provider has flags for plans and roles. */
  resolveStringEvaluation(flag: string, fallback: string, context: EvaluationContext) {
    return this.resolve(flag, 'string', fallback, context);
  }

  resolveObjectEvaluation<Value extends JsonValue>(flag: string, fallback: Value, context: EvaluationContext) {
    return this.resolve(flag, 'object', fallback, context);
  }

  onClose(): Promise<void> {
    this.unsubscribe();
    this.charter.close();
    return Promise.resolve();
  }

  private resolve<Value>(
    flag: string,
    type: FlagType,
    fallback: Value,
    { targetingKey }: EvaluationContext,
  ): Promise<ResolutionDetails<Value>> {
    if (!targetingKey) return Promise.resolve(failed(fallback, ErrorCode.TARGETING_KEY_MISSING));
    const organization = this.charter.organization(targetingKey);
    const answer = () => answerOf(organization, flag, type, fallback);
    if (organization.freshness.revision !== undefined) return Promise.resolve(answer());
    return organization.ready({ timeoutMs: this.readyWithinMs }).then(answer, answer);
  }
}

/** The result of `typeof` for the values that the program asks for. */
type FlagType = 'boolean' | 'number' | 'string' | 'object';

const eventOf = { fresh: ProviderEvents.Ready, stale: ProviderEvents.Stale, fatal: ProviderEvents.Error } as const;
const messages = {
  fresh: 'The stream of changes is open.',
  stale: 'The stream of changes is broken, so the values may be old.',
  fatal: 'Charter refuses the API key.',
} as const;

const flagsOf = (keys: readonly string[]) =>
  keys.flatMap((key) => (limitNames.includes(key) ? [`limit.${key}`, `remaining.${key}`] : [key]));

function answerOf<Value>(
  organization: CharterOrganization,
  flag: string,
  type: FlagType,
  fallback: Value,
): ResolutionDetails<Value> {
  try {
    const details: ResolutionDetails<unknown> = flag.includes('.')
      ? numberFlag(organization, flag)
      : booleanFlag(organization, flag);
    return typeof details.value === type
      ? (details as ResolutionDetails<Value>)
      : failed(fallback, ErrorCode.TYPE_MISMATCH);
  } catch (error) {
    if (error instanceof Fatal)
      return failed(fallback, isRefusedAccess(error.cause) ? ErrorCode.PROVIDER_FATAL : ErrorCode.INVALID_CONTEXT);
    if (error instanceof NotReady) return failed(fallback, ErrorCode.PROVIDER_NOT_READY);
    if (error instanceof TypeError) return failed(fallback, ErrorCode.FLAG_NOT_FOUND);
    throw error;
  }
}

const failed = <Value>(value: Value, errorCode: ErrorCode): ResolutionDetails<Value> => ({ value, errorCode });

const on = { value: true, variant: 'on', reason: 'TARGETING_MATCH' } as const;
const off = { value: false, variant: 'off', reason: 'STATIC' } as const;
const disabled = { value: false, variant: 'off', reason: 'DISABLED' } as const;

function booleanFlag(organization: CharterOrganization, flag: string): ResolutionDetails<boolean> {
  if (organization.can(flag as FeatureName)) return on;
  const isBlocked = organization.why(flag as FeatureName).some(({ kind }) => kind === 'product' || kind === 'closed');
  return isBlocked ? disabled : off;
}

function numberFlag(organization: CharterOrganization, flag: string): ResolutionDetails<number> {
  const [, part, resource] = /^(limit|remaining)\.(\w+)$/.exec(flag) ?? [];
  if (!resource) throw new TypeError(`There is no flag ${flag}.`);
  const limit = organization.limit(resource as ResourceName);
  const isLimit = part === 'limit';
  const amount = isLimit ? limit.limit : limit.remaining;
  // `remaining` is 0, not null, while the feature is off, even if the limit is `unlimited`.
  const variant = amount === null ? 'unlimited' : isLimit ? 'limited' : amount > 0 ? 'available' : 'exhausted';
  const isFixed = organization.why(resource as ResourceName).every(({ kind }) => kind === 'always');
  return { value: amount ?? UNLIMITED, variant, reason: isFixed ? 'STATIC' : 'TARGETING_MATCH' };
}
