import { canonicalJson } from './chain';

/** Converts a value to plain JSON, as a store does, and returns its canonical text. Equal values have equal texts. */
export const canonicalText = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));
