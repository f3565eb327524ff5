import { answerSchemasHash } from '@charter/organization-view';

/** The ETag that this release prints for a revision. The tag ends with `more`. */
export const tag = (revision: number, more = ''): string => `"${revision}-${answerSchemasHash()}${more}"`;
