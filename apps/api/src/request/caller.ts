import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Actor } from '@charter/decider';
import type { Documents } from '@charter/documents';
import { judge, type KeyRecord, type KeyStore, parseKey } from '@charter/identity';
import type { Settings } from '@charter/wiring';
import { oncePerTurn } from '../once-per-turn';
import { Stop } from './problem';

/** Who is asking, as far as this request proves it, and where their powers end. */
export type Caller = Readonly<{
  actor: Actor;
  /** The only organization that their powers are good for; absent: every one. */
  only?: string | undefined;
}>;

/** Who is asking. One interface for keys and, later, for people's sessions. */
export interface Callers {
  /** @throws Stop: 401 when nobody is proven, 429 when too many wrong keys came from one address */
  identify(request: IncomingMessage): Promise<Caller>;
  /** The same without a promise when it is already known; for the hottest routes. */
  recall(request: IncomingMessage): Caller | undefined;
}

/** Powers of a bound key end at its organization: elsewhere it is a stranger (`decisions.md`, Who may do what). */
export const actorIn = ({ actor, only }: Caller, organization: string): Actor =>
  only === undefined || only === organization ? actor : { ...actor, powers: [] };

/** `decisions.md`, Signing in, 16: wrong API keys, 60 a minute for an address. */
const WRONG_KEYS_MAX = 60;
const WINDOW_SECONDS = 60;

type Clock = () => number;

export function callersByKey(
  { keys, attempts }: Pick<Documents, 'keys' | 'attempts'>,
  settings: Settings,
  now: Clock,
): Callers {
  const known = remembered(keys, now);

  const refuseTooMany = async (request: IncomingMessage) => {
    if (!settings.rateLimits) return;
    const bucket = `wrong-key:${hash('sha256', networkOf(addressOf(request, settings)))}`;
    const { allowed, retryAfter } = await attempts.count(bucket, WINDOW_SECONDS, WRONG_KEYS_MAX, now());
    if (!allowed)
      throw new Stop(
        429,
        'too-many-attempts',
        'Too many wrong keys from this address.',
        {},
        { 'Retry-After': String(retryAfter) },
      );
  };

  return {
    recall: (request) => known.get(bearerOf(request)),
    identify: async (request) => {
      const presented = bearerOf(request);
      if (presented === undefined) throw unauthenticated('Send an API key: Authorization: Bearer chk_…');
      const remembered = known.get(presented);
      if (remembered) return remembered;

      const parsed = parseKey(presented);
      const record = parsed && (await keys.find(parsed.prefix));
      const verdict = parsed ? judge(record, parsed.secret, now()) : 'wrong';
      if (record && verdict === 'active') {
        void keys.touch(record.id, now()).catch(() => undefined); // its last use is a courtesy, not a fact
        return known.keep(presented, record);
      }
      await refuseTooMany(request);
      throw unauthenticated(verdict === 'wrong' ? 'The key is not known.' : `The key is ${verdict}.`);
    },
  };
}

/** Keys that were verified, for as long as no key has changed in any process: one cheap question for all who wait. */
function remembered(keys: KeyStore, now: Clock) {
  const callers = new Map<string, Caller & { expires: number }>();
  const stampNow = keys.stamp && oncePerTurn(keys.stamp);
  let stamp = keys.stamp?.();

  return {
    get: (presented: string | undefined): Caller | undefined => {
      if (presented === undefined || !stampNow) return undefined;
      const current = stampNow();
      if (current !== stamp) callers.clear();
      stamp = current;
      const caller = callers.get(presented);
      return caller && caller.expires > now() ? caller : undefined;
    },
    keep: (presented: string, { id, scopes, organization, expires }: KeyRecord): Caller => {
      const caller = {
        actor: { kind: 'key', id, powers: scopes } as const,
        only: organization,
        // Asked again each minute even if nothing changed, so that its last use is noted.
        expires: Math.min(now() + 60_000, expires === undefined ? Infinity : Date.parse(expires)),
      };
      if (callers.size >= KEYS_REMEMBERED_MAX) callers.clear();
      callers.set(presented, caller);
      return caller;
    },
  };
}
const KEYS_REMEMBERED_MAX = 10_000;

const bearerOf = ({ headers: { authorization } }: IncomingMessage): string | undefined =>
  authorization !== undefined && /^bearer /i.test(authorization)
    ? authorization.slice('bearer '.length).trim()
    : undefined;

const unauthenticated = (detail: string) =>
  new Stop(401, 'unauthenticated', detail, {}, { 'WWW-Authenticate': 'Bearer realm="charter"' });

/** The address that counts: the socket's, or what a trusted proxy says it forwards (`decisions.md`, Signing in, 13). */
export function addressOf({ socket, headers }: IncomingMessage, { trustProxy }: Pick<Settings, 'trustProxy'>): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => plainAddress(hop.trim()));
  const trusted = trustedBy(trustProxy);
  let address = plainAddress(socket.remoteAddress ?? '');
  for (let hop = forwarded.pop(); trusted(address) && hop !== undefined && isIP(hop); hop = forwarded.pop())
    address = hop;
  return address;
}

const trustedBy = (proxies: readonly string[]) => {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) && bits !== undefined) list.addSubnet(address, Number(bits), family);
    else if (isIP(address)) list.addAddress(address, family);
  }
  return (address: string) =>
    proxies.length > 0 && isIP(address) > 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
};

const plainAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** One household or server: an IPv6 network of 64 bits counts as one address. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const groups = [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
