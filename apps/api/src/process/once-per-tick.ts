/**
 * Asks at most once in each turn of the event loop. A request that waits in this turn was sent before the question was
 * asked, so its answer is as new as if it had been asked for that request alone: but only for callers that answer requests.
 */
export function oncePerTick<Answer extends string | number>(ask: () => Answer): () => Answer {
  let answer: Answer | undefined;
  const forget = () => (answer = undefined);

  return () => {
    if (answer === undefined) {
      answer = ask();
      setImmediate(forget);
    }
    return answer;
  };
}
