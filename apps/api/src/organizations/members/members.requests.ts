import { MemberRole, words } from '@charter/organization';
import type { PageEnd } from '@charter/organization-view';
import { z } from 'zod';
import { cursorsOf, PageLimit } from '../../http/input/paging';
import { WhenQuery } from '../organization.requests';

export const MemberSort = z.enum(['name', 'role', '-since']);
export type MemberSort = z.infer<typeof MemberSort>;
export const MemberListState = z.enum(['active', 'invited', 'unknown', 'erased']);
export type MemberListState = z.infer<typeof MemberListState>;

/** A cursor contains no name of a person, because URLs contain cursors and logs contain URLs. */
const cursors = cursorsOf(z.tuple([MemberSort, z.int().min(0), words.Id]), 200);
export const membersCursor = (sort: MemberSort, next: PageEnd | null): string | null =>
  next && cursors.at([sort, ...next]);

const filter = {
  role: MemberRole.optional(),
  state: MemberListState.optional(),
  sort: MemberSort.default('name'),
  cursor: cursors.Cursor.optional(),
};
const isOfOrder = ({ cursor, sort }: Readonly<{ cursor?: readonly unknown[] | undefined; sort: MemberSort }>) =>
  cursor === undefined || cursor[0] === sort;
const foreignCursor = { path: ['cursor'], message: 'belongs to a list in another order' };

/**
 * The query parameters of a request for a page of members. The search text `q` is not a query parameter, because a URL
 * must not contain a text that may name a person.
 */
export const MembersQuery = WhenQuery.extend({ ...filter, limit: PageLimit }).refine(isOfOrder, foreignCursor);
export type MembersQuery = z.infer<typeof MembersQuery>;

/**
 * A text to search for: 1 to 200 characters, not counting spaces at its ends. Charter refuses control characters and
 * characters that change the direction of text. Charter accepts other invisible characters, because names may contain
 * them, for example Unicode joiners.
 */
const SearchText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u, 'contains a character that cannot be printed');

/** A page of the members whose name, username, e-mail address or id contains a text. */
export const MembersSearch = z
  .strictObject({ q: SearchText, ...filter, limit: z.int().min(1).max(100).default(20) })
  .refine(isOfOrder, foreignCursor);
export type MembersSearch = z.infer<typeof MembersSearch>;
