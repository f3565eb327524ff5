import { isOnLoopback } from '@charter/settings';
import type { Runtime } from '../../process/runtime';
import { egress } from './egress';
import { type Flows, flowsOver } from './sign-in-flow';
import { type Providers, providersBy } from './providers';
import { type Watched, watched } from './monitored-provider';

/** What signing in through providers works with, put together once. */
export type Federation = Readonly<{
  flows: Flows;
  /** The provider that this deployment itself names; it may be anywhere. */
  google: Watched;
  /** Those that organizations name: on the open internet alone, unless everything here is on loopback. */
  organizations: Providers;
}>;

export const FEDERATION = Symbol('Federation');

export function federationOver(runtime: Runtime): Federation {
  const { settings, now } = runtime;
  return {
    flows: flowsOver(runtime),
    google: watched(providersBy(egress('anyone'), now), runtime),
    organizations: providersBy(egress(isOnLoopback(settings) ? 'anyone' : 'public'), now),
  };
}

/** Where a provider sends people back to: registered with it letter for letter. */
export const callbackOf = ({ settings }: Pick<Runtime, 'settings'>, method: 'go' | 'sso'): string =>
  `${settings.publicUrl}/auth/${method}/callback`;

/** `acceptance.md` G1: these and no more. */
export const SCOPE = 'openid email profile';
