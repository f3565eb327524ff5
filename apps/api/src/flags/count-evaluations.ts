import type { RequestHandler } from 'express';
import type { FlagOutcome } from '../process/observability/metrics';
import type { Observability } from '../process/parts/observability';

/** Counts every answer of the evaluation routes, also the refusals before a route. */
export const countEvaluations =
  ({ counts }: Pick<Observability, 'counts'>): RequestHandler =>
  ({ method, path }, response, next) => {
    if (method === 'POST')
      response.once('finish', () =>
        counts.flagsEvaluated(path === '/' ? 'all' : 'one', outcomes[response.statusCode] ?? 'refused'),
      );
    next();
  };

const outcomes: Readonly<Partial<Record<number, FlagOutcome>>> = {
  200: 'evaluated',
  304: 'unchanged',
  404: 'unknown-flag',
};
