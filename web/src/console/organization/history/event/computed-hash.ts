import type { HistoryEvent } from '@charter/client';
import { sha256 } from '../../../../proof/file-check/byte-text';
import { canonicalForm } from '../../../../proof/file-check/event-chain';

/**
 * The hash of an event, computed in the browser: SHA-256 over the canonical JSON (RFC 8785) of the event without its
 * hash and its position. Undefined if the page was loaded without HTTPS, because browsers then offer no hash functions.
 */
export async function computedHash({
  stream,
  revision,
  id,
  type,
  data,
  metadata,
}: HistoryEvent): Promise<string | undefined> {
  if (!('subtle' in crypto) || !metadata) return undefined;
  const rest = Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== 'hash'));
  const text = canonicalForm({ stream, revision, id, type, data, metadata: rest });
  return text === undefined ? undefined : sha256(text);
}
