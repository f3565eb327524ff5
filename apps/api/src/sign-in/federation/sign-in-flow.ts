import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sealSecret, unsealSecret } from '@charter/identity';
import { secureRandom, type Charter } from '@charter/application';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { cookieOf, isSecure, setCookie } from '../../http/input/cookies';
import type { Clock } from '../../process/parts/clock';

/** The state of a sign-in at a provider. Charter stores the state only in an encrypted cookie of the browser. */
export type SignInFlow = Readonly<z.infer<typeof SignInFlow>>;
const SignInFlow = z.strictObject({
  method: z.enum(['google', 'sso']),
  /** The organization whose provider is used; present only with the method `sso`. */
  organization: z.string().optional(),
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  /** The code verifier of PKCE (RFC 7636). */
  verifier: z.string(),
  /** The URL to open after the sign-in. Charter checked the URL when the flow began. */
  redirect: z.string(),
  began: z.number(),
});

/** The maximum number of seconds for signing in at the provider (`acceptance.md` G2). */
const FLOW_SECONDS = 600;
/** The maximum difference, in seconds, between the clocks of the processes that begin and end a flow. */
const CLOCK_DIFFERENCE_SECONDS = 60;

/**
 * The maximum number of simultaneous flows in a browser, for example in several tabs. A further flow replaces the
 * oldest flow.
 */
const FLOWS_MAX = 4;

/** The parameters of a callback. The code must be exactly the code that goes to the token endpoint. */
type Callback = Readonly<{ state: unknown; code: unknown }>;

export type SignInFlows = Readonly<{
  /** Begins a flow and sets its cookie. */
  begin(response: Response, input: Omit<SignInFlow, 'state' | 'began'>): SignInFlow;
  /**
   * Returns the flow to which a callback belongs. Returns a flow only once, and only to the browser that began the
   * flow. Always deletes the flow's cookie. Returns no flow for a code that another flow has used, because the provider
   * of the other flow may have received the code of this provider (RFC 9700, 4.4).
   */
  take(response: Response, method: SignInFlow['method'], callback: Callback): Promise<SignInFlow | undefined>;
}>;

/** 256 random bits in characters that URLs may contain. */
export const randomToken = () => randomBytes(32).toString('base64url');

export function createSignInFlows({
  settings,
  keyFor,
  database,
  now,
}: Pick<Charter, 'settings' | 'database' | 'keyFor'> & Clock): SignInFlows {
  const key = keyFor('sign-in');
  const prefix = `${isSecure(settings) ? '__Host-' : ''}charter-go-`;
  const nameOf = (state: string) => `${prefix}${hashOf(state).slice(0, 16)}`;
  const drop = (response: Response, name: string) => {
    setCookie(response, settings, name, '', { maxAgeMs: 0 });
  };
  const open = (sealed: string): SignInFlow | undefined => {
    try {
      const flow = SignInFlow.parse(JSON.parse(unsealSecret(key, sealed) ?? ''));
      const age = now() - flow.began;
      return age < FLOW_SECONDS * 1_000 && age >= -CLOCK_DIFFERENCE_SECONDS * 1_000 ? flow : undefined;
    } catch {
      return undefined; // this cookie was not made by Charter
    }
  };
  const isFirstUse = async (kind: 'flow' | 'code', value: string) => {
    // Charter remembers the value for the life of a flow, even if this process has the slowest clock.
    const seconds = FLOW_SECONDS + CLOCK_DIFFERENCE_SECONDS;
    return (await database.attempts.count(`${kind}:${hashOf(value)}`, seconds, 1, now())).allowed;
  };

  return {
    begin: (response, input) => {
      const flow = { ...input, state: randomToken(), began: now() };
      const others = ownCookies(response.req, prefix).map(([name, sealed]) => ({
        name,
        began: open(sealed)?.began ?? 0,
      }));
      const old = others.sort((one, other) => other.began - one.began).slice(FLOWS_MAX - 1);
      for (const { name } of old) drop(response, name);
      const sealed = sealSecret(key, JSON.stringify(flow), secureRandom);
      setCookie(response, settings, nameOf(flow.state), sealed, { maxAgeMs: FLOW_SECONDS * 1_000 });
      return flow;
    },
    take: async (response, method, { state, code }) => {
      if (typeof state !== 'string') return undefined;
      const name = nameOf(state);
      const sealed = cookieOf(response.req, name);
      if (sealed === undefined) return undefined;
      drop(response, name);
      const flow = open(sealed);
      if (flow?.method !== method || !isSame(flow.state, state)) return undefined;
      if (!(await isFirstUse('flow', state))) return undefined;
      if (typeof code === 'string' && !(await isFirstUse('code', code))) return undefined;
      taken.set(response.req, flow);
      return flow;
    },
  };
}

/** The sign-in flow to which a callback request belongs. Undefined before `take` was called. */
export const flowOf = (request: Request): SignInFlow | undefined => taken.get(request);
const taken = new WeakMap<Request, SignInFlow>();

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

const ownCookies = ({ headers: { cookie = '' } }: IncomingMessage, prefix: string) =>
  cookie.split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return name.startsWith(prefix) ? [[name, value.join('=')] as const] : [];
  });
