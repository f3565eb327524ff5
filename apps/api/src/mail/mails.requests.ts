import { type Mail, mailStates } from '@charter/database';
import { z } from 'zod';
import { cursorsOf, PageLimit } from '../http/input/paging';

const cursors = cursorsOf(z.tuple([z.iso.datetime(), z.uuid()]), 200);
const Cursor = cursors.Cursor.transform(([made, id]) => ({ made, id }));
export const mailCursor = ({ made, id }: Pick<Mail, 'made' | 'id'>): string => cursors.at([made, id]);

export const MailsQuery = z.strictObject({
  state: z.enum(mailStates).optional(),
  cursor: Cursor.optional(),
  limit: PageLimit,
});
