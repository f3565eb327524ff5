import type { Settings } from '@charter/wiring';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { requestIdOf } from './guard';

type Facing = Pick<Settings, 'publicUrl'>;

/** `acceptance.md` F. Answers of the interface are nobody else's to keep. */
export function securityHeaders(facing: Facing): RequestHandler {
  const ours = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    strictTransportSecurity: isSecure(facing) ? { maxAge: YEAR, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  return (request, response, next) => {
    response.set('Cache-Control', 'no-store');
    response.set('Request-Id', requestIdOf(request));
    ours(request, response, next);
  };
}

/** Of these, what concerns an answer that is no page: for the door in front of Nest. */
export const headersOfAnswers = (facing: Facing): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  ...(isSecure(facing) && { 'Strict-Transport-Security': `max-age=${YEAR}; includeSubDomains` }),
});

const isSecure = ({ publicUrl }: Facing) => publicUrl.startsWith('https:');
const YEAR = 31_536_000; // in seconds
const policy = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  styleSrc: ["'self'", "'unsafe-inline'"], // the reference page styles itself
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
};
