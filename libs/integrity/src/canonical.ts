import { canonical } from './chain';

/** One text for one value, as it would read after it was stored as JSON and loaded. */
export const canonicalText = (value: unknown): string => canonical(JSON.parse(JSON.stringify(value)));
