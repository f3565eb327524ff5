import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { sealSecret, unsealSecret } from '@charter/identity';
import { secureRandom } from '@charter/application';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { cookieOf, isSecure, setCookie } from '../../http/input/cookies';
import type { Runtime } from '../../process/runtime';

/** A way to a provider and back. What only this browser may know is sealed in its cookie, and nowhere else. */
export type SignInFlow = Readonly<z.infer<typeof SignInFlow>>;
const SignInFlow = z.strictObject({
  method: z.enum(['google', 'sso']),
  /** Whose provider it is; only with `sso`. */
  organization: z.string().optional(),
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  /** PKCE's, to which the challenge belongs. */
  verifier: z.string(),
  /** Where to go afterwards, checked before it came here. */
  redirect: z.string(),
  began: z.number(),
});

/** `acceptance.md` G2: nobody takes longer to sign in at a provider. */
const FLOW_SECONDS = 600;

/** As many tabs as may be under way at once in one browser; beyond them the oldest is forgotten. */
const FLOWS_MAX = 4;

export type SignInFlows = Readonly<{
  /** Begins one: the browser gets its cookie. */
  begin(response: Response, wish: Omit<SignInFlow, 'state' | 'began'>): SignInFlow;
  /** The flow that came back, once and in its own browser; undefined otherwise. Its cookie is gone either way. */
  take(response: Response, method: SignInFlow['method'], state: unknown): Promise<SignInFlow | undefined>;
}>;

/** 256 bits, as a word for an address. */
export const randomToken = () => randomBytes(32).toString('base64url');

export function createSignInFlows({ settings, keyFor, documents, now }: Runtime): SignInFlows {
  const key = keyFor('sign-in');
  const prefix = `${isSecure(settings) ? '__Host-' : ''}charter-go-`;
  const nameOf = (state: string) => `${prefix}${hashOf(state).slice(0, 16)}`;
  const drop = (response: Response, name: string) => {
    setCookie(response, settings, name, '', { maxAgeMs: 0 });
  };
  const open = (sealed: string): SignInFlow | undefined => {
    try {
      const flow = SignInFlow.parse(JSON.parse(unsealSecret(key, sealed) ?? ''));
      return flow.began + FLOW_SECONDS * 1_000 > now() && flow.began <= now() ? flow : undefined;
    } catch {
      return undefined; // not ours
    }
  };

  return {
    begin: (response, wish) => {
      const flow = { ...wish, state: randomToken(), began: now() };
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
    take: async (response, method, state) => {
      if (typeof state !== 'string') return undefined;
      const name = nameOf(state);
      const sealed = cookieOf(response.req, name);
      if (sealed === undefined) return undefined;
      drop(response, name);
      const flow = open(sealed);
      if (flow?.method !== method || !isSame(flow.state, state)) return undefined;
      const { allowed } = await documents.attempts.count(`flow:${hashOf(state)}`, FLOW_SECONDS, 1, now());
      if (!allowed) return undefined;
      taken.set(response.req, flow);
      return flow;
    },
  };
}

/** The flow that a request came back with, once it was taken. */
export const flowOf = (request: Request): SignInFlow | undefined => taken.get(request);
const taken = new WeakMap<Request, SignInFlow>();

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

const ownCookies = ({ headers: { cookie = '' } }: IncomingMessage, prefix: string) =>
  cookie.split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return name.startsWith(prefix) ? [[name, value.join('=')] as const] : [];
  });
