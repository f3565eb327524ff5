import { canonicalJson } from './chain';

/** The canonical text of a value after it was stored as JSON. Equal values have equal texts. */
export const canonicalText = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));
