import type { IncomingMessage, RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import type { LoadRefusal } from '../../process/observability/metrics';
import { hasBody } from '../input/body';
import { isOperations } from './operations-only';
import { retryLater, ProblemError } from '../problems/problem';
import { earlyRefusal } from './early-refusal';

/** The maximum numbers of concurrent requests in this process: of changes, and of reads. */
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
  const changes = createRequestCounts();
  let others = 0;

  const tooMuch = (request: IncomingMessage, organization: string | undefined): keyof typeof stops | undefined => {
    if (!mayChange(request)) return others < room.others ? undefined : 'process';
    const free = room.changes - changes.total();
    const own = organization === undefined ? 0 : changes.of(organization);
    if (own < free) return undefined;
    return own >= room.changes / NOISY_PART ? 'organization' : 'process';
  };

  return (request, response) => {
    const url = request.url ?? '';
    if (isOperations(url)) {
      listener(request, response);
      return;
    }
    const organization = mayChange(request) ? ORGANIZATION.exec(url)?.[1]?.toLowerCase() : undefined;
    const why = tooMuch(request, organization);
    if (why) {
      putOff(why);
      refuse(request, response, stops[why]);
      return;
    }
    const count = () => {
      if (response.closed) return;
      if (mayChange(request)) {
        const finish = changes.begin(organization ?? 'none');
        response.on('close', finish);
      } else {
        others += 1;
        response.on('close', () => (others -= 1));
      }
    };
    if (hasBody(request)) request.once('end', count);
    else count();
    listener(request, response);
  };
}

/** Counts running requests, in total and for each name, such as an organization's id. */
function createRequestCounts() {
  const each = new Map<string, number>();
  let total = 0;
  const add = (name: string, more: 1 | -1) => {
    const count = (each.get(name) ?? 0) + more;
    total += more;
    if (count > 0) each.set(name, count);
    else each.delete(name);
  };
  return {
    total: () => total,
    of: (name: string) => each.get(name) ?? 0,
    /** Counts a request until the caller calls the returned function. */
    begin: (name: string): (() => void) => {
      add(name, 1);
      return () => add(name, -1);
    },
  };
}

/** A refused request gets 429 if its organization occupies at least an eighth of the slots, and otherwise 503. */
const NOISY_PART = 8;
const ORGANIZATION = /^\/api\/v1\/organizations\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[/?]|$)/i;
const mayChange = ({ method = '' }: IncomingMessage) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

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
