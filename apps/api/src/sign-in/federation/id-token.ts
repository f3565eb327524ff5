import { canonicalEmail, type ProviderIdentity } from '@charter/identity';
import { jwtVerify } from 'jose';
import type { Provider } from './providers';

/** The values that an ID token must contain. */
export type ExpectedClaims = Readonly<{ clientId: string; nonce: string; now: number }>;

/** The maximum difference between clocks, and the maximum age of a token, in seconds. */
const CLOCK_SECONDS = 60;
const AGE_SECONDS = 600;

/** The maximum number of characters of a subject (OpenID Connect Core 1.0, 2). */
const SUBJECT_MAX = 255;

/**
 * Verifies an ID token and returns the identity that it contains (`acceptance.md` G4). The issuer must have signed the
 * token recently, with an asymmetric algorithm, for this client and for this flow.
 * @throws if one of these conditions is not met
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
    maxTokenAge: AGE_SECONDS, // also refuses a token whose time is in the future
    currentDate: new Date(expected.now),
  });
  const { sub, aud, azp, nonce } = payload;
  if (nonce !== expected.nonce) throw new Error('The nonce of the ID token belongs to another flow.');
  if (typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX)
    throw new Error('The ID token has no valid subject.');
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined)
    throw new Error('The ID token has several audiences and no authorized party.');
  if (azp !== undefined && azp !== expected.clientId) throw new Error('The ID token was issued for another client.');
  return { issuer: provider.issuer, subject: sub, ...emailClaims(payload) };
}

/** The e-mail claims in an ID token or in the user info. */
export const emailClaims = ({
  email,
  email_verified,
}: Readonly<Record<string, unknown>>): Pick<ProviderIdentity, 'email' | 'emailVerified'> => ({
  email: typeof email === 'string' ? canonicalEmail(email) : undefined,
  emailVerified: email_verified === undefined ? undefined : email_verified === true,
});
