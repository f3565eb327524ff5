import { Part, Step, StepBase } from '@charter/organization-view';
import { STEPS_MAX } from '@charter/application';
import { z } from 'zod';
import { RevisionParam } from '../../organizations/organization.requests';

const parts = Part.options.join(', ');
const Only = z
  .string()
  .transform((names) => names.split(','))
  .pipe(z.array(z.enum(Part.options, { error: `must be parts, separated by commas: ${parts}` })).max(20));

/** A range of revisions. The state at `from` is the base, and each later event up to `to` is a step. */
export const StepsQuery = z
  .strictObject({
    from: RevisionParam,
    to: RevisionParam.optional(),
    base: z
      .enum(['true', 'false'])
      .transform((base) => base === 'true')
      .default(true),
    only: Only.optional(),
  })
  .refine(({ from, to = from }) => to >= from, { path: ['to'], message: 'must not be before from' })
  .refine(({ from, to = from }) => to - from <= STEPS_MAX, {
    path: ['to'],
    message: `must be at most ${STEPS_MAX} events after from`,
  });
export type StepsQuery = z.infer<typeof StepsQuery>;

const ORGANIZATION = '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90';
const MEMBER = '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';
const at = '2026-11-21T10:00:00.000Z';

/** The answer of `GET /api/v1/organizations/:id/steps`. */
export const StepsAnswer = z
  .strictObject({
    organization: z.guid(),
    from: z.int().min(0),
    to: z.int().min(0),
    base: StepBase.exactOptional().meta({
      description: 'The document and the entitlements at the revision `from`; lists are objects with ids as keys',
    }),
    steps: z.array(Step),
  })
  .meta({
    id: 'Steps',
    examples: [
      {
        ...{ organization: ORGANIZATION, from: 3, to: 4 },
        base: { document: { name: 'Acme', members: {} }, entitlements: { limits: { users: { used: 0 } } } },
        steps: [
          {
            ...{ revision: 4, at, type: 'MemberAdded', actor: { kind: 'account', id: MEMBER } },
            ...{ about: ['members', MEMBER], hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
            document: [{ op: 'add', path: `/members/${MEMBER}`, value: { _id: MEMBER, role: 'member' } }],
            entitlements: [{ op: 'replace', path: '/limits/users/used', before: 0, value: 1 }],
          },
        ],
      },
    ],
  });
