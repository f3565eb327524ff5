import { printing } from '@charter/organization-view';

/** The ETag that this release prints for a revision. `more` is appended to the suffix of the tag. */
export const tag = (revision: number, more = ''): string => `"${revision}-${printing()}${more}"`;
