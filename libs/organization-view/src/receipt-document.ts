import type { OrganizationEvent } from '@charter/organization';

/** A write as the API and the command line print it; `id` is that of the thing that the write has made. */
export const receiptDocument = (
  id: string | undefined,
  { revision, events }: Readonly<{ revision: number; events: readonly OrganizationEvent[] }>,
) => ({
  ...(id !== undefined && { id }),
  revision,
  events: events.map(({ type, data }) => ({ type, data })),
});
