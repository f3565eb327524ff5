/** A new `Idempotency-Key`. Does not use `crypto.randomUUID`, which browsers offer only on secure origins. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
