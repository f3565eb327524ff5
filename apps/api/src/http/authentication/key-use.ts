import type { IncomingMessage } from 'node:http';
import type { Charter } from '@charter/application';
import { momentAt } from '@charter/decider';
import type { BackgroundWork } from '../../process/work/background-work';
import { clientAddressOf, networkOf } from '../input/client-address';
import { requestIdOf } from '../request-id';

/** The authenticator calls this function at every use of a verified API key. */
export type RecordKeyUse = (key: string, request: IncomingMessage, now: number) => void;

/**
 * After the answer, records the first use of an API key on each day (UTC) in the key's audit stream. A process reads
 * the audit stream once a day for each key, because another process may already have recorded the day's first use. If a
 * crash loses the record, the key's next use on the same day is recorded instead.
 */
export function createKeyUseRecorder(
  { trail, settings }: Pick<Charter, 'trail' | 'settings'>,
  afterwards: BackgroundWork,
): RecordKeyUse {
  let today = '';
  let noted = new Set<string>();

  return (key, request, now) => {
    const at = momentAt(now);
    const day = at.slice(0, 10);
    if (day !== today) noted = new Set();
    today = day;
    if (noted.has(key)) return;
    noted.add(key);
    const actor = { kind: 'key', id: key, powers: [] } as const;
    const context = { actor, at, correlation: requestIdOf(request) };
    const record = () => trail.record({ key }, { type: 'KeyUsed', data: { day } }, context);
    const again = (why: unknown) => {
      noted.delete(key);
      throw why;
    };
    const from = networkOf(clientAddressOf(request, settings));
    if (!afterwards.add('key-use', from, () => record().catch(again))) noted.delete(key);
  };
}
