/**
 * Runs a query at most once in each tick of the event loop, and shares its answer. All requests of this tick arrived
 * before the query ran, so the shared answer is current for each of them. Only code that answers requests may use this
 * function.
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
