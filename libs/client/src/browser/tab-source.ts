import type { ConnectionSource, StreamEvents } from '../connection.js';
import { isRefusedAccess, UnexpectedAnswer } from '../errors.js';
import { sendOnce, sendRepeatedly, type Server, readWholeAnswer } from '../requests/send.js';
import { openStream, readEvents } from '../server-source.js';
import { checkedBulk, streamAddress, valuesOfFlags } from './bulk-evaluation.js';
import type { FlagTicket } from './flag-ticket.js';
import { oneTabLeads } from './one-tab-leads.js';

/** The client requests a new ticket this number of milliseconds before the old ticket ends. */
const SPARE = 60_000;

/** Values and notices of one organization for a browser, with flag tickets instead of an API key. */
export function tabSource(
  organization: string,
  ticketFor: () => Promise<FlagTicket>,
  server: Server,
): ConnectionSource {
  let ticket: FlagTicket | undefined;

  /** @throws TypeError if the program returns no ticket, or the error of the program */
  const newTicket = async (): Promise<FlagTicket> => {
    const answer = await ticketFor();
    if (typeof answer.ticket === 'string' && Date.parse(answer.expires)) return answer;
    throw new TypeError('The option `ticket` returned no flag ticket.');
  };
  const withTicket: Server = {
    ...server,
    authorization: async () => {
      if (!ticket || Date.parse(ticket.expires) - Date.now() < SPARE) ticket = await newTicket();
      return `Bearer ${ticket.ticket}`;
    },
  };
  const evaluate = async (query: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const request = { method: 'POST', path: `/ofrep/v1/evaluate/flags${query}`, headers, signal };
    const body = { context: { targetingKey: organization } };
    try {
      return await sendRepeatedly(withTicket, { ...request, body }, readWholeAnswer);
    } catch (error) {
      if (!isRefusedAccess(error)) throw error;
      // The ticket may have ended, so only the refusal of a new ticket is final. If Charter refuses the backend's key,
      // there is no new ticket, and the refusal of the old ticket is final.
      ticket = undefined;
      ticket = await newTicket().catch(() => Promise.reject(error as Error));
      return readWholeAnswer(await sendOnce(withTicket, { ...request, body }));
    }
  };

  async function lead(on: StreamEvents, signal: AbortSignal): Promise<void> {
    // Each stream needs an address from a new answer, because the ticket in an earlier address may have ended.
    const stream = streamAddress(checkedBulk(await evaluate('', {}, signal)), server.url);
    if (!stream) throw new UnexpectedAnswer(200, 'names no event stream');
    const there = { ...withTicket, url: stream.origin };
    const answer = await openStream(there, { path: stream.pathname + stream.search, signal });
    on.opened(false);
    await readEvents(answer, on, ({ data }) => {
      const { type, etag } = JSON.parse(data) as Readonly<{ type?: string; etag?: string }>;
      const [, revision] = /^"?r(\d+)"?$/.exec(etag ?? '') ?? [];
      if (type === 'refetchEvaluation' && revision) on.notice({ organization, revision: Number(revision) });
    });
  }

  return {
    follow: (on, signal) => oneTabLeads(`charter ${server.url} ${organization}`, on, signal, lead),
    fetch: async (store, atLeast, signal) => {
      const query = atLeast < 0 ? '' : `?flagConfigEtag=r${atLeast}`;
      const answer = await evaluate(query, store.etag === undefined ? {} : { 'If-None-Match': store.etag }, signal);
      if (answer.status === 304 && store.values) return 'same';
      return { etag: answer.etag, source: valuesOfFlags(checkedBulk(answer)) };
    },
  };
}
