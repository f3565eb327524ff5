import { canonicalEmail, type ProviderIdentity } from '@charter/identity';
import { jwtVerify } from 'jose';
import type { Provider } from './providers';

/** The values that an ID token must match. */
export type ExpectedClaims = Readonly<{ clientId: string; nonce: string; now: number }>;

/** Seconds: the accepted difference between clocks, and the maximum age of a token. */
const CLOCK_SECONDS = 60;
const AGE_SECONDS = 600;

/** The maximum length of a subject (OpenID Connect Core 1.0, 2). */
const SUBJECT_MAX = 255;

/**
 * Verifies an ID token and returns the identity in it (`acceptance.md` G4). The issuer must have signed the token
 * recently, with an asymmetric algorithm, for this client and this flow.
 * @throws if a condition is not met
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
  if (nonce !== expected.nonce) throw new Error('The nonce of the ID token belongs to another flow.');
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX)
    throw new Error('The ID token has no valid subject.');
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined)
    throw new Error('The ID token is for several clients and names no authorized party.');
  if (azp !== undefined && azp !== expected.clientId) throw new Error('The ID token was issued for another client.');
  return { issuer: provider.issuer, subject: sub, ...emailClaims(payload) };
}

/** The e-mail claims of an ID token or of the user info. */
export const emailClaims = ({
  email,
  email_verified,
}: Readonly<Record<string, unknown>>): Pick<ProviderIdentity, 'email' | 'emailVerified'> => ({
  email: typeof email === 'string' ? canonicalEmail(email) : undefined,
  emailVerified: email_verified === true,
});
