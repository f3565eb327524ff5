import { errorKind } from './sign-in-failure';
import type { Egress } from './egress';
import { createProviders, type Providers } from './providers';
import type { Charter } from '@charter/application';
import type { Clock } from '../../process/parts/clock';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';

/** The OpenID provider in the settings (Google), and whether the provider works. */
export type MonitoredProvider = Providers &
  Readonly<{
    /**
     * The state of the provider, for operators. `off`: no provider is configured, or the process only projects.
     * `failing`: the last attempt to read the provider's discovery document failed. `ok`: otherwise.
     */
    state: () => 'off' | 'ok' | 'failing';
  }>;

/** The interval in milliseconds at which the process checks a failing provider, whether or not people sign in. */
const CHECK_MS = 30_000;
/** The process checks a working provider once in this number of intervals, so every five minutes. */
const INTERVALS = 10;

/**
 * Checks the provider when the process starts, without delaying the start (`acceptance.md` R9), and then at intervals.
 * Operators thus see a failure before the next sign-in, and an unreachable provider does not prevent the start. While
 * the provider fails, people can still sign in if the process has cached the provider's discovery document.
 */
export function monitorProvider(ask: Egress, { settings, logger, now, stopping }: Needs): MonitoredProvider {
  const { google, role } = settings;
  if (!google || role === 'projections') return { ...createProviders(ask, now), state: () => 'off' };
  let isFailing = false;
  let intervals = 0;

  const answered = () => {
    if (isFailing) logger.info('Google answers again');
    isFailing = false;
  };
  const failed = (error: unknown) => {
    if (!isFailing) logger.warn({ why: errorKind(error) }, 'Google does not answer; signing in by password works');
    isFailing = true;
  };
  const providers = createProviders(ask, now, (discovery) => void discovery.then(answered, failed));
  const check = () => void providers.tried(google.issuer).catch(() => undefined);
  const timer = setInterval(() => {
    intervals += 1;
    if (stopping()) clearInterval(timer);
    else if (isFailing || intervals % INTERVALS === 0) check();
  }, CHECK_MS).unref();
  check();
  return { ...providers, state: () => (isFailing ? 'failing' : 'ok') };
}

type Needs = Pick<Charter, 'settings'> & Clock & Lifecycle & Pick<Observability, 'logger'>;
