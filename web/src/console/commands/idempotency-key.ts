import { useCallback, useState } from 'react';

/** A new `Idempotency-Key`. Does not use `crypto.randomUUID`, which browsers offer only on secure origins. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The `Idempotency-Key` of the commands that a person wants to send. The hook replaces the key when `content` changes.
 * A caller replaces the key with `renew` when the service has answered, because the service stores the answer under
 * that key.
 */
export function useIntentKey(content: string) {
  const [intent, setIntent] = useState(() => ({ content, key: newIdempotencyKey() }));
  if (intent.content !== content) setIntent({ content, key: newIdempotencyKey() });
  const renew = useCallback(() => setIntent({ content, key: newIdempotencyKey() }), [content]);
  return { key: intent.key, renew };
}
