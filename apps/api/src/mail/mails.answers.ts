import { At } from '@charter/organization-view';
import { z } from 'zod';

const example = {
  ...{ id: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11', kind: 'invitation', account: null, to: 'ada@example.com' },
  ...{ language: 'en', made: '2026-11-21T10:00:00.000Z', state: 'sent' as const, attempts: 1, next: null, error: null },
  ...{ expires: '2026-11-28T10:00:00.000Z', settled: '2026-11-21T10:00:01.000Z' },
};

/** A mail without its text. */
export const MailAnswer = z
  .strictObject({
    id: z.guid(),
    kind: z.string(),
    account: z.string().nullable(),
    to: z.string(),
    language: z.string(),
    made: At,
    state: z.enum(['waiting', 'sent', 'failed']),
    attempts: z.int().min(0),
    next: At.nullable(),
    error: z.string().nullable(),
    expires: At,
    settled: At.nullable(),
  })
  .meta({ id: 'Mail', examples: [example] });
export const MailPage = z
  .strictObject({ mails: z.array(MailAnswer), next: z.string().nullable() })
  .meta({ id: 'MailPage', examples: [{ mails: [example], next: null }] });
