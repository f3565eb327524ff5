import { type Mail, mailStates } from '@charter/database';
import { z } from 'zod';
import { cursorsOf, PageLimit } from '../http/input/paging';

const place = cursorsOf(z.tuple([z.iso.datetime(), z.uuid()]), 200);
const Cursor = place.Cursor.transform(([made, id]) => ({ made, id }));
export const mailCursor = ({ made, id }: Pick<Mail, 'made' | 'id'>): string => place.at([made, id]);

export const MailsQuery = z.strictObject({
  state: z.enum(mailStates).optional(),
  cursor: Cursor.optional(),
  limit: PageLimit,
});
