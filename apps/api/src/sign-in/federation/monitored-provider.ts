import { errorKind } from './sign-in-failure';
import type { Provider, Providers } from './providers';
import type { Charter } from '@charter/application';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';

/** The provider in the settings, with a check of its health. */
export type MonitoredProvider = Providers &
  Readonly<{
    /**
     * For operators. `off`: no provider is configured. `ok`: its discovery document can be read. `failing`: it cannot.
     */
    state: () => 'off' | 'ok' | 'failing';
  }>;

/** How often the process checks a failing provider, independent of sign-ins. */
const CHECK_MS = 30_000;

/**
 * Checks the provider at start without delaying the start. So operators see a failure before the first sign-in, and an
 * unreachable provider does not prevent the start (`acceptance.md` R9). The provider's answer is cached for an hour, so
 * a later failure is noticed within that time.
 */
export function monitorProvider(providers: Providers, { settings, logger, stopping }: Needs): MonitoredProvider {
  const { google, role } = settings;
  if (!google || role === 'projections') return { ...providers, state: () => 'off' };
  let isFailing = false;

  const noted = async (discovery: Promise<Provider>): Promise<Provider> => {
    try {
      const provider = await discovery;
      if (isFailing) logger.info('Google answers again');
      isFailing = false;
      return provider;
    } catch (error) {
      if (!isFailing) logger.warn({ why: errorKind(error) }, 'Google does not answer; signing in by password works');
      isFailing = true;
      throw error;
    }
  };
  const at = (issuer: string) => noted(providers.at(issuer));
  const check = () => void at(google.issuer).catch(() => undefined);
  const timer = setInterval(() => {
    if (stopping()) clearInterval(timer);
    else if (isFailing) check();
  }, CHECK_MS).unref();
  check();
  return { at, tried: (issuer) => noted(providers.tried(issuer)), state: () => (isFailing ? 'failing' : 'ok') };
}

type Needs = Pick<Charter, 'settings'> & Lifecycle & Pick<Observability, 'logger'>;
