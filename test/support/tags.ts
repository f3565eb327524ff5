import { printing } from '@charter/organization-view';

/** The ETag of this revision, as this release prints it; `more` is appended to its suffix. */
export const tag = (revision: number, more = ''): string => `"${revision}-${printing()}${more}"`;
