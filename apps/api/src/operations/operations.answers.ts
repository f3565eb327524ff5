import { At } from '@charter/organization-view';
import { z } from 'zod';
import { type DeclaredAnswers, ok } from '../http/declared-answers';

export const LiveAnswer = z
  .strictObject({ status: z.literal('live') })
  .meta({ id: 'Live', examples: [{ status: 'live' }] });

const check = z.strictObject({ ok: z.boolean() });
const service = z.enum(['off', 'ok', 'failing']);

const ReadyAnswer = z
  .strictObject({
    status: z.enum(['ready', 'stopping', 'not-ready']),
    checks: z.strictObject({
      eventLog: check,
      readModel: check,
      projection: z.strictObject({
        ok: z.boolean(),
        phase: z.string(),
        why: z.string().optional(),
        behind: z.string().optional(),
        lagSeconds: z.number(),
        lagEvents: z.int().nullable(),
        isLate: z.boolean(),
        parked: z.int().min(0),
        parkedAt: z.array(
          z.strictObject({
            type: z.string(),
            position: z.string(),
            revision: z.int(),
            since: At,
            attempts: z.int(),
          }),
        ),
      }),
      erasures: z.strictObject({ ok: z.boolean(), appliedAtStart: z.int(), restored: z.boolean() }),
    }),
    mail: service,
    google: service,
  })
  .meta({
    id: 'Ready',
    examples: [
      {
        status: 'ready',
        checks: {
          eventLog: { ok: true },
          readModel: { ok: true },
          projection: {
            ...{ ok: true, phase: 'running', lagSeconds: 0, lagEvents: 0, isLate: false, parked: 0, parkedAt: [] },
          },
          erasures: { ok: true, appliedAtStart: 0, restored: false },
        },
        mail: 'off',
        google: 'off',
      },
    ],
  });

export type ReadyStatus = z.infer<typeof ReadyAnswer>['status'];

/** 200 while the process can do its work, and otherwise 503; both answers have the same schema. */
export const readiness: DeclaredAnswers<z.infer<typeof ReadyAnswer>> = {
  ...ok(ReadyAnswer),
  503: {
    description: 'The process is not ready; the body names the failed checks',
    content: { 'application/json': ReadyAnswer },
    headers: ['Retry-After'],
  },
};
