import type { Settings } from '@charter/settings';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { isSecure } from './input/cookies';
import { requestIdOf } from './request-id';

type Facing = Pick<Settings, 'publicUrl'>;

/** Sets the security headers (`acceptance.md` F), and forbids caches to store answers. */
export function securityHeaders(facing: Facing): RequestHandler {
  const secured = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    frameguard: { action: 'deny' },
    strictTransportSecurity: isSecure(facing) ? { maxAge: YEAR, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  return (request, response, next) => {
    response.set('Cache-Control', 'no-store');
    response.set('Request-Id', requestIdOf(request));
    secured(request, response, next);
  };
}

/**
 * The headers of a page.
 * @param styles the hashes of its inline styles
 * @param sentryDsn contains the origin to which the page's script reports errors
 */
export function headersOfPages(styles: readonly string[], sentryDsn: string | undefined): Record<string, string> {
  const reporting = sentryDsn === undefined ? [] : [new URL(sentryDsn).origin];
  const directives: Policy = {
    ...policy,
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", ...styles.map((hash) => `'${hash}'`)],
    connectSrc: ["'self'", ...reporting],
  };
  return { 'Content-Security-Policy': written(directives) };
}

const written = (directives: Policy) =>
  Object.entries(directives)
    .map(([name, values]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), ...values].join(' '))
    .join(';');

/** The headers of API answers, for the fast path. */
export const headersOfAnswers = (facing: Facing): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  ...(isSecure(facing) && { 'Strict-Transport-Security': `max-age=${YEAR}; includeSubDomains` }),
});

const YEAR = 31_536_000; // seconds
type Policy = Readonly<Record<string, readonly string[]>>;
const policy: Policy = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  styleSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
};
