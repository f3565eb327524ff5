import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Settings } from '@charter/settings';
import type { LoadRefusal } from '../../process/observability/metrics';
import { isOperations } from './operations-only';
import { retryLater, ProblemError } from '../problems/problem';
import { earlyRefusal } from './early-refusal';

/** How many requests may be under way at once in this process: those that may change something, and all others. */
export type AdmissionLimits = Readonly<{ changes: number; others: number }>;

/**
 * About half a second's work of changes: whoever came behind them would wait longer, and make all others wait. Questions are
 * short, so only what no process can hold is too much of them.
 */
const ADMISSION_LIMITS: AdmissionLimits = { changes: 512, others: 2_000 };

/**
 * Puts off what is too much, before anything is done for it (`acceptance.md` Q2): 503 when the process has no room, 429 when
 * it is this organization that takes it. An organization has at most as much under way as is still free: alone it fills
 * half of the room, two fill a third each, and whoever comes next always finds a place (Q5). Health and metrics always go
 * through. A body that trickles in counts once it is whole; until then it costs nothing but its connection.
 */
export function admission(
  listener: RequestListener,
  settings: Pick<Settings, 'publicUrl'>,
  putOff: (reason: LoadRefusal) => void,
  room: AdmissionLimits = ADMISSION_LIMITS,
): RequestListener {
  const refuse = earlyRefusal(settings);
  const changes = countedBy<string>();
  const others = countedBy<'all'>();

  const tooMuch = (request: IncomingMessage, organization: string | undefined): keyof typeof stops | undefined => {
    if (!mayChange(request)) return others.total() < room.others ? undefined : 'process';
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
    const organization = ORGANIZATION.exec(url)?.[1]?.toLowerCase();
    const why = tooMuch(request, organization);
    if (why) {
      putOff(why);
      refuse(request, response, stops[why]);
      return;
    }
    const count = () =>
      mayChange(request) ? changes.while(response, organization ?? 'none') : others.while(response, 'all');
    if (hasBody(request)) request.once('end', count);
    else count();
    listener(request, response);
  };
}

/** How many are under way, in all and of each name; an answer counts until it is out, or nobody waits for it. */
function countedBy<Name extends string>() {
  const each = new Map<Name, number>();
  let total = 0;
  const add = (name: Name, more: 1 | -1) => {
    const count = (each.get(name) ?? 0) + more;
    total += more;
    if (count > 0) each.set(name, count);
    else each.delete(name);
  };
  return {
    total: () => total,
    of: (name: Name) => each.get(name) ?? 0,
    while: (response: ServerResponse, name: Name) => {
      if (response.closed) return;
      add(name, 1);
      response.once('close', () => add(name, -1));
    },
  };
}

/** Whoever has this part of the room is told that it is their own requests which take it. */
const NOISY_PART = 8;
const ORGANIZATION = /^\/api\/v1\/organizations\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:[/?]|$)/i;
const mayChange = ({ method = '' }: IncomingMessage) => !['GET', 'HEAD', 'OPTIONS'].includes(method);
const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const stops = {
  process: retryLater('busy', 'Too much is going on here at the moment. Nothing was done.'),
  organization: new ProblemError(
    429,
    'busy',
    'Too many requests for this organization are under way. Nothing was done.',
    {},
    { 'Retry-After': '1' },
  ),
};
