/**
 * Batches calls: the calls that arrive while a batch runs form the next batch. Batches save time, because one commit
 * for many calls costs about as much as one commit for a single call.
 * @param work returns one answer for each call, in order; if `work` throws, all calls of the batch fail
 */
export function batchWrites<Question, Answer>(
  work: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  max: number,
) {
  type Caller = { question: Question; resolve: (answer: Answer) => void; reject: (why: unknown) => void };
  let waiting: Caller[] = [];
  let working = false;

  const run = async () => {
    while (waiting.length > 0) {
      const callers = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const answers = await work(callers.map(({ question }) => question));
        callers.forEach(({ resolve }, index) => resolve(answers[index]!));
      } catch (why) {
        for (const { reject } of callers) reject(why);
      }
    }
    working = false;
  };
  return (question: Question) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (working) return;
      working = true;
      setImmediate(() => void run()); // waits, so that other calls in the same event-loop iteration join the batch
    });
}
