import { words } from '@charter/organization';
import { z } from 'zod';
import { cursorsOf, PageLimit } from '../../http/input/paging';

const kinds = ['account', 'key'] as const;
const deeds = ['read', 'exported', 'followed'] as const;

const Place = z.strictObject({ at: words.When, kind: z.enum(kinds), reader: z.guid(), did: z.enum(deeds) });
const cursors = cursorsOf(Place, 300);
export const readersCursor = (place: z.infer<typeof Place> | undefined): string | null => {
  if (!place) return null;
  const { at, kind, reader, did } = place;
  return cursors.at({ at, kind, reader, did });
};

export const ReadersQuery = z
  .strictObject({
    from: words.When.optional(),
    to: words.When.optional(),
    cursor: cursors.Cursor.optional(),
    limit: PageLimit,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    message: 'must not be before from',
  });
export type ReadersQuery = z.infer<typeof ReadersQuery>;

const ReaderEntry = z.strictObject({
  hour: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d$/)
    .meta({ description: 'The hour of the read, in UTC' }),
  actor: z.strictObject({ kind: z.enum(kinds), id: z.string() }),
  as: z
    .enum(['owner', 'admin', 'auditor', 'operator', 'key'])
    .meta({ description: "The reader's role in the hour of the read; `key` for an API key" }),
  name: z.string().nullable().meta({
    description: "The reader's name today; null if the person is erased, or if the caller does not see the name",
  }),
  did: z
    .enum(deeds)
    .meta({ description: 'The action of the reader; `followed`: the reader received the feed of all organizations' }),
});
export type ReaderEntry = z.infer<typeof ReaderEntry>;

/** The answer of `GET /api/v1/organizations/:id/readers`. */
export const ReadersAnswer = z
  .strictObject({
    readers: z.array(ReaderEntry),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last page' }),
  })
  .meta({
    id: 'Readers',
    examples: [
      {
        readers: [
          {
            hour: '2026-11-22T10',
            actor: { kind: 'account', id: '5f0c7a52-52a1-4d0b-9a0e-6d2f6c0a4b1d' },
            ...{ as: 'operator', name: null, did: 'exported' },
          },
          {
            hour: '2026-11-22T09',
            actor: { kind: 'account', id: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11' },
            ...{ as: 'owner', name: 'Ada Jansen', did: 'read' },
          },
        ],
        next: null,
      },
    ],
  });
export type ReadersAnswer = z.infer<typeof ReadersAnswer>;
