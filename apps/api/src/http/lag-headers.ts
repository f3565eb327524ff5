import type { Lag, Projection } from '@charter/projections';
import type { RequestHandler } from 'express';

export const LAG = 'Charter-Lag';
export const LAG_EVENTS = 'Charter-Lag-Events';

/**
 * The headers with the lag of the read model (`api.md`): in seconds and, if the event log can count events, also in
 * events.
 */
export function lagHeaders(projection: Pick<Projection, 'now'>): Readonly<Record<string, string>> {
  const { lagSeconds: seconds, lagEvents: events } = projection.now();
  return lagHeadersOf({ seconds, events });
}

export const lagHeadersOf = ({ seconds, events }: Lag): Readonly<Record<string, string>> => ({
  [LAG]: String(Math.round(seconds * 1000) / 1000),
  ...(events !== undefined && { [LAG_EVENTS]: String(events) }),
});

/** Adds the lag headers to every API answer. */
export const lagHeaderMiddleware =
  (projection: Pick<Projection, 'now'>): RequestHandler =>
  (_request, response, next) => {
    response.set(lagHeaders(projection));
    next();
  };
