import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A checkout session in the form of Stripe's answers, without the fields that Charter does not use. */
type StandInSession = {
  id: string;
  object: 'checkout.session';
  url: string | null;
  created: number;
  expires_at: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  metadata: Record<string, string>;
  subscription: string | null;
};
type Started = Readonly<{ session: StandInSession; fields: Readonly<Record<string, string>> }>;
type Reply = Readonly<{ status: number; body: object | string }>;

const invalid = (code: string, param: string): Reply => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', code, param, message: `Refused for ada@people.example: ${param}` } },
});
const missing: Reply = {
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such checkout session' } },
};

const TEMPLATE = '{CHECKOUT_SESSION_ID}';

/**
 * A stand-in for the part of Stripe's API that starts and reads checkout sessions, and for the page on which a person
 * pays.
 */
export function checkoutStandIn(origin: () => string) {
  const started = new Map<string, Started>();
  const byKey = new Map<string, { text: string; id: string }>();
  /** Runs immediately before the provider ends a session; a spec can pay the session at this moment. */
  let beforeExpiry: (id: string) => void = () => undefined;
  const expire = (id: string) => void Object.assign(started.get(id)!.session, { status: 'expired', url: null });
  /** The newest sessions come first, and a page of the list has at most two sessions. */
  const list = (query: URLSearchParams): Reply => {
    const [status, after] = [query.get('status'), query.get('starting_after')];
    const wanted = [...started.values()]
      .map(({ session }) => session)
      .filter((session) => session.status === status && session.created >= Number(query.get('created[gte]')))
      .reverse();
    const data = wanted.slice(wanted.findIndex(({ id }) => id === after) + 1);
    const body = { object: 'list', url: '/v1/checkout/sessions', data: data.slice(0, 2), has_more: data.length > 2 };
    return { status: 200, body };
  };

  /** The prices, customers and references that the provider does not know. */
  const unknown = new Set<string>();

  const start = (sent: string, key: string): Reply => {
    const before = byKey.get(key);
    if (before && before.text !== sent)
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'Keys for idempotent requests' } } };
    if (before) return { status: 200, body: started.get(before.id)!.session };
    const fields = Object.fromEntries(new URLSearchParams(sent));
    const lines = Object.keys(fields).filter((name) => /^line_items\[\d+\]\[price\]$/.test(name));
    const refused = lines.find((name) => unknown.has(fields[name]!));
    if (refused) return invalid('resource_missing', refused);
    const strange = ['customer', 'client_reference_id'].find((name) => unknown.has(fields[name] ?? ''));
    if (strange) return invalid('resource_missing', strange);
    const id = `cs_live_${started.size + 1}`;
    const session: StandInSession = {
      ...{ id, object: 'checkout.session', url: `${origin()}/pay/${id}`, status: 'open', payment_status: 'unpaid' },
      expires_at: Math.floor(Date.now() / 1_000) + 86_400,
      created: Math.floor(Date.now() / 1_000),
      metadata: Object.fromEntries(
        ['organization', 'slots'].flatMap((name) => {
          const value = fields[`metadata[${name}]`];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      subscription: null,
    };
    started.set(id, { session, fields });
    byKey.set(key, { text: sent, id });
    return { status: 200, body: session };
  };

  /**
   * The payment page of a checkout session. The first link of the page pays at once, without the card data that a
   * real page requests. The second link leads back.
   */
  const page = ({ session: { id }, fields }: Started): Reply => {
    const [paid, cancelled] = ['success_url', 'cancel_url'].map((name) => fields[name]!.replace(TEMPLATE, id));
    const links = `<a href="/paid/${id}?to=${encodeURIComponent(paid!)}">Pay</a> <a href="${cancelled}">Back</a>`;
    return { status: 200, body: `<!doctype html><html lang="en"><title>Pay</title><main><h1>Pay</h1>${links}</main>` };
  };

  return {
    started,
    unknown,
    /** Records that the person has paid, and starts a subscription. Returns the id of the subscription. */
    pay(id: string, subscription = `sub_of_${id}`): string {
      const { session } = started.get(id)!;
      Object.assign(session, { status: 'complete', payment_status: 'paid', url: null, subscription });
      return subscription;
    },
    expire,
    beforeExpiry: (act: typeof beforeExpiry) => void (beforeExpiry = act),
    /** The answer to a request; undefined for a request that is not about a checkout. */
    async answer(request: IncomingMessage): Promise<Reply | undefined> {
      const { method, url = '', headers } = request;
      const [, place, id = ''] = /^\/(v1\/checkout\/sessions|pay|paid)(?:\/([^/?]+))?/.exec(url) ?? [];
      if (place === undefined) return undefined;
      const ending = /\/expire$/.test(url) ? started.get(id)?.session : undefined;
      if (ending) {
        beforeExpiry(id);
        if (ending.status !== 'open') return invalid('', 'session');
        expire(id);
        return { status: 200, body: ending };
      }
      if (method === 'GET' && place === 'v1/checkout/sessions' && id === '')
        return list(new URL(url, origin()).searchParams);
      if (method === 'POST') return start(await text(request), String(headers['idempotency-key']));
      const known = started.get(id);
      if (!known) return missing;
      if (place === 'pay') return page(known);
      if (place === 'paid') this.pay(id);
      return { status: 200, body: known.session };
    },
  };
}
