import type { Projection } from '@charter/projections';
import type { RequestHandler } from 'express';

export const LAG = 'Charter-Lag';
export const LAG_EVENTS = 'Charter-Lag-Events';

/** The lag of read models and lists (`api.md`): in seconds and, if the event log can count, in events. */
export function lagHeaders(projection: Pick<Projection, 'now'>): Readonly<Record<string, string>> {
  const { lagSeconds, lagEvents } = projection.now();
  const seconds = String(Math.round(lagSeconds * 1000) / 1000);
  return { [LAG]: seconds, ...(lagEvents !== undefined && { [LAG_EVENTS]: String(lagEvents) }) };
}

/** Adds the lag headers to every API answer. */
export const lagHeaderMiddleware =
  (projection: Pick<Projection, 'now'>): RequestHandler =>
  (_request, response, next) => {
    response.set(lagHeaders(projection));
    next();
  };
