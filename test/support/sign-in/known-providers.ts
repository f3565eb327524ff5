import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { ProviderForm } from './own-provider';

/** A product whose ID tokens, issuers and answers differ from those of other products. */
export type KnownProvider = Readonly<{
  form: ProviderForm;
  /** The claims about a person. `verified`: whether the product has verified the address. */
  claimsOf: (email: string, verified: boolean, times: Readonly<{ auth_time: number }>) => JWTPayload;
  /** Whether the product sends the claim `email_verified`. */
  sendsEmailVerified: boolean;
  /** The path of another issuer at the same host: another realm, authorization server or tenant. */
  otherIssuer?: string;
}>;

const TENANT = '/2b0b7f2c-9188-4d5e-8c7e-6d8f4a0f3c11';
const digits = (count: number) => Array.from({ length: count }, (_, index) => (index * 7 + 1) % 10).join('');
/** Keycloak also publishes a key for encryption, with which no ID token is signed. */
const encryptionKey = { kid: 'k-enc', kty: 'RSA', alg: 'RSA-OAEP', use: 'enc', n: 'sXch', e: 'AQAB' };

/**
 * The differences of four products, from their documentation. The paths, the claims and the members of the public keys
 * are those of the products; the addresses are on loopback.
 */
export const knownProviders: Readonly<Record<'Google' | 'Okta' | 'Keycloak' | 'Microsoft Entra', KnownProvider>> = {
  Google: {
    // The issuer `https://accounts.google.com` has no path. Every Google account belongs to this issuer.
    form: { onlyInUserInfo: [], metadata: { authorization_response_iss_parameter_supported: true } },
    claimsOf: (email, verified) => ({
      ...{ sub: `${digits(15)}${Date.now() % 1_000_000}`, azp: 'charter', hd: email.split('@')[1] },
      ...{ email, email_verified: verified, at_hash: 'x' },
    }),
    sendsEmailVerified: true,
  },
  Okta: {
    // Okta calls this ID token thin: the address and `email_verified` are only in the user info.
    form: { path: '/oauth2/default', namesIssuer: false, onlyInUserInfo: ['email', 'email_verified'] },
    claimsOf: (email, verified, { auth_time }) => ({
      ...{ sub: `00u${randomUUID().slice(0, 8)}`, ver: 1, jti: `ID.${randomUUID()}`, amr: ['pwd'], idp: '00o1' },
      ...{ auth_time, email, email_verified: verified },
    }),
    sendsEmailVerified: true,
    otherIssuer: '/oauth2/other',
  },
  Keycloak: {
    form: {
      ...{ path: '/realms/acme', onlyInUserInfo: [], moreKeys: [encryptionKey] },
      metadata: { authorization_response_iss_parameter_supported: true },
    },
    claimsOf: (email, verified, { auth_time }) => ({
      ...{ sub: randomUUID(), typ: 'ID', azp: 'charter', sid: randomUUID(), acr: '1', auth_time },
      ...{ email, email_verified: verified, preferred_username: email },
    }),
    sendsEmailVerified: true,
    otherIssuer: '/realms/other',
  },
  'Microsoft Entra': {
    // The keys name no algorithm, and no claim says that the address is verified.
    form: { path: `${TENANT}/v2.0`, namesIssuer: false, onlyInUserInfo: [], keyFields: {} },
    claimsOf: (email) => ({
      ...{ sub: `pairwise-${randomUUID()}`, oid: randomUUID(), tid: TENANT.slice(1), ver: '2.0', email },
      ...{ preferred_username: email, rh: '0.x', uti: 'x' },
    }),
    sendsEmailVerified: false,
    otherIssuer: '/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d/v2.0',
  },
};
