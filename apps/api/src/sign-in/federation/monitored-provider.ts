import type { Runtime } from '../../process/runtime';
import { errorKind } from './sign-in-failure';
import type { Provider, Providers } from './providers';

/** The provider that this deployment itself names, and how it fares. */
export type MonitoredProvider = Providers &
  Readonly<{
    /** What an operator should know: there is none; it describes itself when it is asked to, or it does not. */
    state: () => 'off' | 'ok' | 'failing';
  }>;

/** How often one that has failed is asked again while nobody signs in. */
const ASK_MS = 30_000;

/**
 * Asks it at the start, beside everything else: whether it answers is known before somebody wants to sign in, and one that is
 * away stops nobody else (`acceptance.md` R9). What it says is kept for an hour, so one that goes away is noticed by then.
 */
export function monitorProvider(providers: Providers, { settings, logger, stopping }: Needs): MonitoredProvider {
  const { google, role } = settings;
  if (!google || role === 'projections') return { ...providers, state: () => 'off' };
  let isFailing = false;

  const noted = async (asked: Promise<Provider>): Promise<Provider> => {
    try {
      const provider = await asked;
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
  const ask = () => void at(google.issuer).catch(() => undefined);
  const asking = setInterval(() => {
    if (stopping()) clearInterval(asking);
    else if (isFailing) ask();
  }, ASK_MS).unref();
  ask();
  return { at, tried: (issuer) => noted(providers.tried(issuer)), state: () => (isFailing ? 'failing' : 'ok') };
}

type Needs = Pick<Runtime, 'settings' | 'logger' | 'stopping'>;
