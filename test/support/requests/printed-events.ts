/** An event in the answer of a preview. A field is `now` if the event will contain the moment of its recording. */
export type PrintedEvent = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;
export type RecordedEvent = PrintedEvent & Readonly<{ metadata: Readonly<{ at: string }> }>;

/**
 * Recorded events in the form of their preview. `now` replaces a moment if the preview printed `now` in this field
 * and the moment is the time of recording. All other moments stay unchanged.
 */
export const inFormOfPreview = (
  recorded: readonly RecordedEvent[],
  printed: readonly PrintedEvent[],
): readonly PrintedEvent[] =>
  recorded.map(({ type, data, metadata }, index) => {
    const fields = Object.entries(data).map(([name, value]) => {
      const isOwn = printed[index]?.data[name] === 'now' && isOwnMoment(String(value), metadata.at);
      return [name, isOwn ? 'now' : value];
    });
    return { type, data: Object.fromEntries(fields) };
  });

/** A sale may take effect some milliseconds after its recording, so that the sales of one request have an order. */
const isOwnMoment = (value: string, at: string): boolean => {
  const later = Date.parse(value) - Date.parse(at);
  return later >= 0 && later <= 20;
};
