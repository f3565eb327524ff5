import { isOnLoopback } from '@charter/settings';
import type { Runtime } from '../../process/runtime';
import { egress } from './egress';
import { type SignInFlows, createSignInFlows } from './sign-in-flow';
import { type Providers, createProviders } from './providers';
import { type MonitoredProvider, monitorProvider } from './monitored-provider';

/** What signing in through providers works with, put together once. */
export type Federation = Readonly<{
  flows: SignInFlows;
  /** The provider that this deployment itself names; it may be anywhere. */
  google: MonitoredProvider;
  /** Those that organizations name: on the open internet alone, unless everything here is on loopback. */
  organizations: Providers;
}>;

export const FEDERATION = Symbol('Federation');

export function createFederation(runtime: Runtime): Federation {
  const { settings, now } = runtime;
  return {
    flows: createSignInFlows(runtime),
    google: monitorProvider(createProviders(egress('anyone'), now), runtime),
    organizations: createProviders(egress(isOnLoopback(settings) ? 'anyone' : 'public'), now),
  };
}

/** Where a provider sends people back to: registered with it letter for letter. */
export const callbackOf = ({ settings }: Pick<Runtime, 'settings'>, method: 'go' | 'sso'): string =>
  `${settings.publicUrl}/auth/${method}/callback`;

/** `acceptance.md` G1: these and no more. */
export const SCOPE = 'openid email profile';
