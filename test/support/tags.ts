import { printing } from '@charter/organization-view';

/** The ETag that this release prints for a revision. `more` is appended to its suffix. */
export const tag = (revision: number, more = ''): string => `"${revision}-${printing()}${more}"`;
