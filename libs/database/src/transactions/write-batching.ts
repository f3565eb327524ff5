/**
 * Answers many callers with one piece of work: calls that come while the work before is running wait and then go
 * together. One commit for many costs about as much as one commit for one.
 * @param work returns one answer for each question, in order; if it throws, all of them fail
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
      setImmediate(() => void run()); // others of this turn of the loop come along
    });
}
