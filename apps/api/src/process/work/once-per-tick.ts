/**
 * Runs a query at most once in each tick of the event loop, and shares its answer. Most requests of a tick arrive
 * before the query runs. If a timer or `setImmediate` runs the query, the answer can be older than a request, but by
 * less than a tick. Only code that answers requests may use this function.
 */
export function oncePerTick<Answer extends string | number | object | undefined>(query: () => Answer): () => Answer {
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
