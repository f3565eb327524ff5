import { createECDH } from 'node:crypto';
import { importJWK, type JWK, SignJWT } from 'jose';
import type { StandInAccount } from './stand-in-accounts';

/** The number of seconds for which an ID token is valid. */
export const ID_TOKEN_SECONDS = 60;

/** Signs the ID tokens of the demo's stand-in for Google. */
export type IdTokenSigner = Readonly<{
  publicKey: JWK;
  sign: (account: StandInAccount, nonce: string) => Promise<string>;
}>;

/** @param secret 32 bytes: the private key on the curve P-256 */
export function createIdTokenSigner(
  secret: Buffer,
  { issuer, client, now }: Readonly<{ issuer: () => string; client: string; now: () => number }>,
): IdTokenSigner {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey(); // 0x04, then the coordinates x and y of 32 bytes each
  const publicKey = {
    ...{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'demo' },
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const privateKey = importJWK({ ...publicKey, d: secret.toString('base64url') }, 'ES256');
  return {
    publicKey,
    sign: async ({ id, name, email }, nonce) => {
      const seconds = Math.floor(now() / 1_000);
      return new SignJWT({ nonce, name, email, email_verified: true })
        .setProtectedHeader({ alg: 'ES256', kid: publicKey.kid })
        .setIssuer(issuer())
        .setAudience(client)
        .setSubject(id)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + ID_TOKEN_SECONDS)
        .sign(await privateKey);
    },
  };
}
