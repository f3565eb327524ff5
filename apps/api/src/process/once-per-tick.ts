/**
 * Runs a query at most once in each tick of the event loop. A request of this tick arrived before the query, so the
 * shared answer is as new as its own would be. This holds only for callers that answer requests.
 */
export function oncePerTick<Answer extends string | number>(query: () => Answer): () => Answer {
  let answer: Answer | undefined;
  const invalidate = () => (answer = undefined);

  return () => {
    if (answer === undefined) {
      answer = query();
      setImmediate(invalidate);
    }
    return answer;
  };
}
