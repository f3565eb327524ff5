import { canonicalEmail, type ProviderIdentity } from '@charter/identity';
import { jwtVerify } from 'jose';
import type { Provider } from './providers';

/** What an ID token must answer to. */
export type ExpectedClaims = Readonly<{ clientId: string; nonce: string; now: number }>;

/** How far clocks may be apart, and how long ago a token may have been issued that was asked for just now; in seconds. */
const CLOCK_SECONDS = 60;
const AGE_SECONDS = 600;

/** OpenID Connect Core 1.0, 2: no subject is longer. */
const SUBJECT_MAX = 255;

/**
 * Whom an ID token speaks of (`acceptance.md` G4): signed by a key of the issuer, by an algorithm that only the holder of
 * the private key can use, for this client and this very flow, and of just now.
 * @throws when anything of that is not so
 */
export async function identityFromIdToken(
  provider: Provider,
  idToken: unknown,
  expected: ExpectedClaims,
): Promise<ProviderIdentity> {
  if (typeof idToken !== 'string') throw new Error('The provider sent no ID token.');
  const { payload } = await jwtVerify(idToken, provider.keys, {
    algorithms: ['RS256', 'ES256'],
    issuer: provider.issuer,
    audience: expected.clientId,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    clockTolerance: CLOCK_SECONDS,
    maxTokenAge: AGE_SECONDS, // also refuses a token from the future
    currentDate: new Date(expected.now),
  });
  const { sub, aud, azp, nonce } = payload;
  if (nonce !== expected.nonce) throw new Error('The ID token is of another flow.');
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX) throw new Error('The ID token names nobody.');
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined)
    throw new Error('The ID token is for several clients.');
  if (azp !== undefined && azp !== expected.clientId) throw new Error('The ID token was made for another client.');
  return { issuer: provider.issuer, subject: sub, ...emailClaims(payload) };
}

/** Claims of an ID token or of the user info about somebody's address. */
export const emailClaims = ({
  email,
  email_verified,
}: Readonly<Record<string, unknown>>): Pick<ProviderIdentity, 'email' | 'emailVerified'> => ({
  email: typeof email === 'string' ? canonicalEmail(email) : undefined,
  emailVerified: email_verified === true,
});
