import type { DraftFlaw } from './address/read-draft';

/** The message about each flaw of a draft in an address. */
export const flawWords = {
  none: 'draft.none',
  foreign: 'draft.foreign',
  broken: 'draft.broken',
  'too-long': 'draft.too-long',
  'too-many': 'draft.too-many',
  'e-mail-address': 'draft.e-mail-address',
} as const satisfies Readonly<Record<DraftFlaw, string>>;
