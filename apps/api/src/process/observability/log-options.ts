import { pino } from 'pino';
import { loggedError } from './logged-error';

/** The options of every logger of the service. */
export const logOptions = { timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: loggedError } };
