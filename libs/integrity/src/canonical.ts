import { canonicalJson } from './chain';

/** The canonical text of a value in the form that a store of JSON returns. Equal values have equal texts. */
export const canonicalText = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));
