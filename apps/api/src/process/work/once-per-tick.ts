/**
 * Runs a query at most once in each tick of the event loop, and shares its answer. A request in this tick arrived
 * before the query ran, so the shared answer is as new as an answer to its own query would be. Only code that answers
 * requests may use this.
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
