/** A stream of server-sent events. The spec sends its text. The answer ignores the signal of its request. */
export function scriptedStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (its) => void (controller = its) });
  const answer = new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  return {
    answer,
    send: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
  };
}

/** An answer with the entitlements of an organization. */
export const entitlementsAnswer = (
  organization: string,
  revision = 1,
  { isOn = true, etag }: Readonly<{ isOn?: boolean; etag?: string }> = {},
): Response =>
  Response.json(
    {
      ...{ organization, revision },
      features: { feedback: { on: isOn, because: [] } },
      limits: { users: { limit: null, used: 0, remaining: null, unlimited: true, because: [] } },
    },
    { headers: { ...(etag !== undefined && { ETag: etag }) } },
  );

/** The organization whose entitlements a request reads; undefined for the stream of changes. */
export const organizationIn = (url: string): string | undefined =>
  /\/organizations\/([\w-]+)\/entitlements/.exec(url)?.[1];
