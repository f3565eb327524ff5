import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { RandomSource } from './keys';

/**
 * The maximum number of accounts in one device cookie. A further account replaces the account that signed in longest
 * ago.
 */
export const DEVICE_ACCOUNTS_MAX = 8;

/**
 * The value of a device cookie: the random id of a browser, and a proof for each account that has signed in from the
 * browser. A proof is a MAC over the id and the account. Because of the MACs, the cookie names no account, and only
 * Charter can create a proof.
 */
export function addDeviceProof(key: KeyObject, cookie: string, account: string, random: RandomSource): string {
  const { id, proofs } = read(cookie) ?? { id: base64(random.bytes(PART_BYTES)), proofs: [] };
  const proof = proofOf(key, id, account);
  return [id, ...[...proofs.filter((one) => one !== proof), proof].slice(-DEVICE_ACCOUNTS_MAX)].join('.');
}

/** The id of the browser; undefined if the cookie does not prove that the account has signed in from this browser. */
export function provenDevice(key: KeyObject, cookie: string, account: string): string | undefined {
  const { id, proofs } = read(cookie) ?? {};
  if (id === undefined || proofs === undefined) return undefined;
  const right = Buffer.from(proofOf(key, id, account));
  const equal = proofs.filter((proof) => timingSafeEqual(Buffer.from(proof), right));
  return equal.length > 0 ? id : undefined;
}

const read = (cookie: string) => {
  const [id = '', ...proofs] = cookie.split('.');
  return PART.test(id) && proofs.length <= DEVICE_ACCOUNTS_MAX && proofs.every((proof) => PART.test(proof))
    ? { id, proofs }
    : undefined;
};

/** The id has a fixed length, so that different pairs of id and account never give the same text. */
const proofOf = (key: KeyObject, id: string, account: string): string =>
  base64(createHmac('sha256', key).update(`${id}!${account}`).digest().subarray(0, PART_BYTES));

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
/** 128 bits, so that neither an id nor a proof can be guessed. */
const PART_BYTES = 16;
const PART = /^[\w-]{22}$/;
