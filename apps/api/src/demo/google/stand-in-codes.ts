import { randomUUID } from 'node:crypto';
import type { Charter } from '@charter/application';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** The number of seconds for which an authorization code works. */
const CODE_SECONDS = 60;

const Content = z.object({
  /** The id of the person's account. */
  sub: z.string(),
  nonce: z.string(),
  /** The PKCE challenge (RFC 7636). */
  challenge: z.string(),
  /** The callback to which the stand-in sent the code. */
  redirect: z.string(),
});
type CodeContent = z.infer<typeof Content>;

/** The authorization codes of the demo's stand-in for Google. Each code works once. */
export type StandInCodes = Readonly<{
  issue: (content: CodeContent) => Promise<string>;
  /** Uses up a code. Undefined if the stand-in did not make the code, or if the code is expired or used. */
  redeem: (code: string) => Promise<CodeContent | undefined>;
}>;

/**
 * Makes codes that contain their own content, signed with `key`. The database counts the use of a code, so a code works
 * once in all processes.
 */
export function createStandInCodes(
  { attempts }: Pick<Charter['database'], 'attempts'>,
  key: Uint8Array,
  issuer: () => string,
  now: () => number,
): StandInCodes {
  return {
    issue: ({ sub, ...content }) =>
      new SignJWT(content)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer())
        .setSubject(sub)
        .setJti(randomUUID())
        .setExpirationTime(Math.floor(now() / 1_000) + CODE_SECONDS)
        .sign(key),
    redeem: async (code) => {
      const expected = { algorithms: ['HS256'], issuer: issuer(), currentDate: new Date(now()) };
      const verified = await jwtVerify(code, key, expected).catch(() => undefined);
      const { success, data } = Content.safeParse(verified?.payload);
      if (!success) return undefined;
      const { allowed } = await attempts.count(`demo-google:${verified?.payload.jti}`, 2 * CODE_SECONDS, 1, now());
      return allowed ? data : undefined;
    },
  };
}
