import { At } from '@charter/organization-view';
import { z } from 'zod';
import type { DeclaredAnswers } from '../../http/declared-answers';
import { TargetingKey } from '../flags.requests';

/** The body of a request for a ticket. */
export const FlagTicketRequest = z.strictObject({ targetingKey: TargetingKey }).meta({ id: 'FlagTicketRequest' });

/** The answer to a request for a ticket. */
export const FlagTicketAnswer = z.strictObject({ ticket: z.string(), expires: At }).meta({
  id: 'FlagTicket',
  examples: [{ ticket: 'flt_WyI3ZDNmIl0.c2lnbmF0dXJl', expires: '2026-11-21T11:00:00.000Z' }],
});

/** Server-sent events that never end. */
export const flagNoticeStream: DeclaredAnswers<never> = {
  200: {
    description: 'Notices that the flags of the subject have changed',
    content: {
      'text/event-stream': z.string().meta({
        examples: ['event: message\ndata: {"type":"refetchEvaluation","etag":"r42"}\n\n'],
      }) as z.ZodType as z.ZodType<never>,
    },
  },
};
