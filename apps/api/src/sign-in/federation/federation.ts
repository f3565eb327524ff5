import { isOnLoopback } from '@charter/settings';
import { type Egress, egress } from './egress';
import { type SignInFlows, createSignInFlows } from './sign-in-flow';
import { type Providers, createProviders } from './providers';
import { type MonitoredProvider, monitorProvider } from './monitored-provider';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';

/** The providers through which people sign in. */
export type Federation = Readonly<{
  flows: SignInFlows;
  /** The provider in the settings, whose address may be internal. */
  google: MonitoredProvider;
  /** The providers of organizations. Their addresses must be public, unless this installation runs on loopback. */
  organizations: Providers;
}>;

export const FEDERATION = Symbol('Federation');

/** @param askGoogle sends the requests to Google, or to the demo's stand-in for Google */
export function createFederation(
  runtime: Pick<Charter, 'settings' | 'database' | 'keyFor'> & Clock & Lifecycle & Pick<Observability, 'logger'>,
  askGoogle: Egress = egress('any-address'),
): Federation {
  const { settings, now } = runtime;
  return {
    flows: createSignInFlows(runtime),
    google: monitorProvider(askGoogle, runtime),
    organizations: createProviders(egress(isOnLoopback(settings) ? 'any-address' : 'public'), now),
  };
}

/** The callback URL. Exactly this URL must be registered at the provider. */
export const callbackOf = ({ settings }: Pick<Charter, 'settings'>, method: 'go' | 'sso'): string =>
  `${settings.publicUrl}/auth/${method}/callback`;

/** Charter requests exactly these scopes (`acceptance.md` G1). */
export const SCOPE = 'openid email profile';
