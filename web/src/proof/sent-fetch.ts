/** A GET that `fetch` has sent. The console shows these values in its list of requests. */
export type SentFetch = Readonly<{
  address: string;
  /** 0 if there was no answer. */
  status: number;
  /** The time until the header of the answer has arrived. */
  milliseconds: number;
  /** The id by which operators find the request in the log; empty without an answer. */
  request: string;
}>;

/**
 * Sends a GET request, and reports the request, unless the page has cancelled the request. @throws if there is no
 * answer
 */
export async function sendFetch(
  address: string,
  init: RequestInit,
  onSent: (sent: SentFetch) => void,
): Promise<Response> {
  const began = performance.now();
  const report = (answer?: Response) =>
    onSent({
      address,
      status: answer?.status ?? 0,
      milliseconds: Math.round(performance.now() - began),
      request: answer?.headers.get('request-id') ?? '',
    });
  try {
    const answer = await fetch(address, init);
    report(answer);
    return answer;
  } catch (error) {
    if (init.signal?.aborted !== true) report();
    throw error;
  }
}
