import { seal, unseal } from '@charter/identity';
import { random } from '@charter/application';
import { malformed } from '../http/problems/problem';

/** Places in a list that is ordered by something personal: sealed, because cursors stand in addresses, and those in logs. */
export type Cursors = Readonly<{
  at: (place: string) => string;
  /** @throws Stop 400 when it is none of ours */
  open: (cursor: string) => string;
}>;

export const cursorsUnder = (key: Buffer): Cursors => ({
  at: (place) => seal(key, place, random),
  open: (cursor) => {
    const place = unseal(key, cursor);
    if (place === undefined) throw malformed([{ path: 'cursor', message: 'is no cursor of ours' }]);
    return place;
  },
});
