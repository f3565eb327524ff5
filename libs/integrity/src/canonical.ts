import { canonicalJson } from './chain';

/** The canonical text of a value as JSON storage returns it. Equal values have equal texts. */
export const canonicalText = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));
