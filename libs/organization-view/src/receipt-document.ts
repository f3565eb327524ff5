import type { Immutable } from '@charter/decider';
import type { OrganizationEvent } from '@charter/organization';
import { z } from 'zod';
import { Revision } from './answer-fields';
import { EventAnswer } from './printed-event';

export const receiptFields = { revision: Revision, events: z.array(EventAnswer) };

const MEMBER = '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11';
const example = {
  revision: 4,
  events: [{ type: 'MemberAdded' as const, data: { member: MEMBER, role: 'member' as const } }],
};

/** The answer to a write: the organization's revision after the write, and the new events. */
export const ReceiptAnswer = z.strictObject(receiptFields).meta({ id: 'Receipt', examples: [example] });
export type ReceiptAnswer = Immutable<z.infer<typeof ReceiptAnswer>>;

/** The answer to a write that created an entry. */
export const MadeAnswer = z
  .strictObject({ id: z.string(), ...receiptFields })
  .meta({ id: 'MadeReceipt', examples: [{ id: MEMBER, ...example }] });
export type MadeAnswer = Immutable<z.infer<typeof MadeAnswer>>;

type Written = Readonly<{ revision: number; events: readonly OrganizationEvent[] }>;

/**
 * Returns the answer to a write, for the API and for the command line. `id` is the id of the entry that the write
 * created.
 */
export function receiptDocument(id: string, written: Written): MadeAnswer;
export function receiptDocument(id: string | undefined, written: Written): ReceiptAnswer;
export function receiptDocument(id: string | undefined, { revision, events }: Written): MadeAnswer | ReceiptAnswer {
  const recorded = events.map(({ type, data }) => ({ type, data }) as OrganizationEvent);
  return { ...(id !== undefined && { id }), revision, events: recorded };
}
