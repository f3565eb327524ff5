import { errorKind } from './sign-in-failure';
import type { Provider, Providers } from './providers';
import type { Charter } from '@charter/application';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';

/** The OpenID provider in the settings (Google), and whether the provider works. */
export type MonitoredProvider = Providers &
  Readonly<{
    /**
     * The state of the provider, for operators. `off`: no provider is configured. `ok`: Charter can read its discovery
     * document. `failing`: Charter cannot read this document.
     */
    state: () => 'off' | 'ok' | 'failing';
  }>;

/** The interval in milliseconds at which the process checks a failing provider, whether or not people sign in. */
const CHECK_MS = 30_000;

/**
 * Checks the provider when the process starts, without delaying the start (`acceptance.md` R9). So operators see a
 * failure before the first sign-in, and an unreachable provider does not prevent the start. The process
 * caches the provider's answer for up to an hour, so only the first sign-in after this time notices a later failure.
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
