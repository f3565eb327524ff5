import { sealSecret, unsealSecret } from '@charter/identity';
import { secureRandom } from '@charter/application';
import { malformedRequest } from '../http/problems/problem';

/** Places in a list that is ordered by something personal: sealed, because cursors stand in addresses, and those in logs. */
export type SealedCursors = Readonly<{
  at: (place: string) => string;
  /** @throws Stop 400 when it is none of ours */
  open: (cursor: string) => string;
}>;

export const sealedCursors = (key: Buffer): SealedCursors => ({
  at: (place) => sealSecret(key, place, secureRandom),
  open: (cursor) => {
    const place = unsealSecret(key, cursor);
    if (place === undefined) throw malformedRequest([{ path: 'cursor', message: 'is no cursor of ours' }]);
    return place;
  },
});
