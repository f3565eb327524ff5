import { ValueChange } from '@charter/organization-view';
import { z } from 'zod';
import { cursorsOf, PageLimit } from '../../http/input/paging';
import { Pointer } from '../../http/input/pointer';

const orders = z.enum(['oldest', 'newest']);
const cursors = cursorsOf(z.tuple([orders, z.int().min(0)]), 200);
export const valueChangesCursor = (order: z.infer<typeof orders>, revision: number): string =>
  cursors.at([order, revision]);

/** The path of a value, and the requested page of the value's changes. */
export const ValueChangesQuery = z
  .strictObject({
    path: Pointer,
    order: orders.default('newest'),
    cursor: cursors.Cursor.optional(),
    limit: PageLimit,
  })
  .refine(({ cursor, order }) => cursor === undefined || cursor[0] === order, {
    path: ['cursor'],
    message: 'belongs to a list in the other order',
  });
export type ValueChangesQuery = z.infer<typeof ValueChangesQuery>;

/** The answer of `GET /api/v1/organizations/:id/changes`. */
export const ValueChangesAnswer = z
  .strictObject({ path: z.string(), changes: z.array(ValueChange), next: z.string().nullable() })
  .meta({
    id: 'ValueChanges',
    examples: [
      {
        path: '/plans/second/plan',
        changes: [
          {
            ...{ revision: 7, at: '2026-11-21T10:00:00.000Z', effectiveAt: '2026-11-20T00:00:00.000Z' },
            ...{ type: 'PlanAssigned', actor: { kind: 'billing', id: 'stripe' }, before: 'solo', after: 'teams' },
          },
        ],
        next: null,
      },
    ],
  });
export type ValueChangesAnswer = z.infer<typeof ValueChangesAnswer>;
