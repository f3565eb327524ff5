import { canonicalJson } from './chain';

/** One text for one value, as it would read after it was stored as JSON and loaded. */
export const canonicalText = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));
