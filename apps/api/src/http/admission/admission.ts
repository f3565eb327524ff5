import type { RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import type { LoadRefusal } from '../../process/observability/metrics';
import { namedCounts } from '../../process/work/named-counts';
import { hasBody } from '../input/body';
import { isOperations } from './operations-only';
import { isOfrep } from '../problems/ofrep-failure';
import { retryLater, ProblemError } from '../problems/problem';
import { earlyRefusal } from './early-refusal';

/** The maximum numbers of concurrent requests in this process: of changes, and of reads and evaluations of flags. */
export type AdmissionLimits = Readonly<{ changes: number; others: number }>;

/**
 * 512 running changes together are about half a second of work. A higher limit would make every later request wait
 * longer. Reads are short, so their limit depends only on memory.
 */
const ADMISSION_LIMITS: AdmissionLimits = { changes: 512, others: 2_000 };

/**
 * Refuses excess requests before any work (`acceptance.md` Q2). The answer is 503 if the process has no free slot, and
 * 429 if requests of the same organization occupy the slots. When a request arrives, its organization may occupy at
 * most as many slots as are then free. A single active organization thus gets half of the slots, and two active
 * organizations get a third each. While few organizations are active, a slot for another organization is free (Q5).
 * Requests for health and metrics are never refused. A request counts from the moment when its body has arrived; before
 * that moment it needs only a connection. It counts until its answer is sent or its client disconnects.
 */
export function admission(
  listener: RequestListener,
  settings: Pick<Settings, 'publicUrl'>,
  putOff: (reason: LoadRefusal) => void,
  room: AdmissionLimits = ADMISSION_LIMITS,
): RequestListener {
  const refuse = earlyRefusal(settings);
  const running = namedCounts();

  const tooMuch = (isRead: boolean, organization: string | undefined): keyof typeof stops | undefined => {
    if (isRead) return running.of('reads') < room.others ? undefined : 'process';
    const free = room.changes - running.of('changes');
    const own = organization === undefined ? 0 : running.of(organization);
    if (own < free) return undefined;
    return own >= room.changes / NOISY_PART ? 'organization' : 'process';
  };

  return (request, response) => {
    const { url = '', method = '' } = request;
    if (isOperations(url)) {
      listener(request, response);
      return;
    }
    const isRead = READ_METHODS.includes(method) || isOfrep(url);
    const organization = isRead ? undefined : organizationIn(url);
    const why = tooMuch(isRead, organization);
    if (why) {
      putOff(why);
      refuse(request, response, stops[why]);
      return;
    }
    const change = (by: 1 | -1) => {
      running.change(isRead ? 'reads' : 'changes', by);
      if (organization !== undefined) running.change(organization, by);
    };
    const count = () => {
      if (response.closed) return;
      change(1);
      response.on('close', () => change(-1));
    };
    if (hasBody(request)) request.once('end', count);
    else count();
    listener(request, response);
  };
}

/** A refused request gets 429 if its organization occupies at least an eighth of the slots, and otherwise 503. */
const NOISY_PART = 8;
const ORGANIZATION = /^\/api\/v1\/organizations\/([\da-f%-]{36,})(?:[/?]|$)/i;
/** The id of the organization in the URL. As the router does, decodes percent-encoded characters of the id. */
function organizationIn(url: string): string | undefined {
  const id = ORGANIZATION.exec(url)?.[1]?.toLowerCase();
  return id?.includes('%') ? id.replace(/%([46][1-6]|3\d|2d)/g, decodeURIComponent).toLowerCase() : id;
}
const READ_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const stops = {
  process: retryLater('busy', 'The service has too many requests at the moment. Nothing was done.'),
  organization: new ProblemError(
    429,
    'busy',
    'Too many requests for this organization are running. Nothing was done.',
    {},
    { 'Retry-After': '1' },
  ),
};
