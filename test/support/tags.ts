import { printing } from '@charter/organization-view';

/** This release's ETag for a revision; `more` is appended to its suffix. */
export const tag = (revision: number, more = ''): string => `"${revision}-${printing()}${more}"`;
