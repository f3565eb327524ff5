import type { KeyObject } from 'node:crypto';
import { sealSecret, unsealSecret } from '@charter/identity';
import { secureRandom } from '@charter/application';
import { malformedRequest } from '../http/problems/problem';

/**
 * Cursors of lists that are sorted by personal data. Cursors with personal data are encrypted, because URLs contain
 * cursors and logs contain URLs.
 */
export type SealedCursors = Readonly<{
  at: (position: string) => string;
  /** @throws ProblemError 400 if the cursor is invalid */
  open: (cursor: string) => string;
}>;

export const sealedCursors = (key: KeyObject): SealedCursors => ({
  at: (position) => sealSecret(key, position, secureRandom),
  open: (cursor) => {
    const position = unsealSecret(key, cursor);
    if (position === undefined)
      throw malformedRequest([{ path: 'cursor', message: 'must be the cursor of an earlier answer' }]);
    return position;
  },
});
