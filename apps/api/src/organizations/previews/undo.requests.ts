import { words } from '@charter/organization';
import { LaterEvent, LeftValue, Revision } from '@charter/organization-view';
import { z } from 'zod';
import { Pointer } from '../../http/input/pointer';
import { PreviewAnswer } from './previews.answers';

/** The maximum number of events in a commit that a request may undo, and the maximum number of paths in a request. */
const EVENTS_MAX = 200;
const PATHS_MAX = 20;

const EventNumber = z.int().min(0).max(1e15);

/** The events to undo: one event, the events of one commit, or all events after a revision. */
export const UndoRequest = z
  .strictObject({
    event: EventNumber.optional(),
    events: z.tuple([EventNumber, EventNumber]).optional(),
    to: EventNumber.optional(),
    only: z.array(Pointer).min(1).max(PATHS_MAX).optional(),
    reason: words.Reason.optional(),
  })
  .refine(({ event, events, to }) => [event, events, to].filter((given) => given !== undefined).length === 1, {
    path: ['event'],
    message: 'must be present, or either `events` or `to` instead',
  })
  .refine(({ to, only }) => only === undefined || to !== undefined, { path: ['only'], message: 'needs `to`' })
  .refine(({ events: [first, last] = [0, 0] }) => first <= last && last - first < EVENTS_MAX, {
    path: ['events'],
    message: `must be the first and the last event of one commit, and at most ${EVENTS_MAX} events`,
  });
export type UndoRequest = z.infer<typeof UndoRequest>;

const member = '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';

/** The answer of `POST /api/v1/organizations/:id/undo`. */
export const UndoAnswer = z
  .strictObject({
    revision: Revision,
    commands: z
      .array(z.strictObject({ type: z.string(), data: z.record(z.string(), z.unknown()) }))
      .meta({ description: 'The commands in the order of their execution, for the routes `preview` and `commands`' }),
    exact: z.boolean().meta({ description: 'Whether the commands restore every value that the undone events changed' }),
    leaves: z.array(LeftValue),
    later: z.array(LaterEvent),
    preview: PreviewAnswer,
    more: z.int().min(1).exactOptional().meta({ description: 'The number of further commands beyond 20' }),
  })
  .meta({
    id: 'Undo',
    examples: [
      {
        revision: 9,
        commands: [{ type: 'AddMember', data: { member, role: 'admin' } }],
        exact: true,
        leaves: [],
        later: [],
        preview: {
          revision: 9,
          shown: 'c1ffe27f57fdf4b9e3b1d6ec0a1bfb9ae1cb1c1a1df13e9e1d3a3d5cf0f7c6a2',
          events: [{ type: 'MemberAdded', data: { member, role: 'admin' }, command: 0 }],
          may: [{ index: 0, may: true, takes: ['admin', 'owner', 'operator', 'organizations:write'] }],
          limits: {},
          features: { gained: [], lost: [], terms: {} },
          traffic: {
            before: { month: null, views: 0, allowance: null, mark: null, because: [] },
            after: { month: null, views: 0, allowance: null, mark: null, because: [] },
          },
          state: [],
        },
      },
    ],
  });
