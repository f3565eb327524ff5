/**
 * Joins simultaneous lookups of the same API key or session into one query to a store. A lookup never joins a query
 * that is already running, because that query may return older data. A lookup that arrives during a query joins the
 * next query. Answers are not cached.
 */
export function sharedLookups<Answer>(ask: (name: string) => Promise<Answer>): (name: string) => Promise<Answer> {
  const underWay = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<Answer>>();

  const begin = (name: string): Promise<Answer> => {
    const answer = ask(name);
    const ended = answer.then(
      () => undefined,
      () => undefined,
    );
    underWay.set(name, ended);
    void ended.then(() => {
      if (underWay.get(name) === ended) underWay.delete(name);
    });
    return answer;
  };
  const afterThat = (name: string, former: Promise<unknown>): Promise<Answer> => {
    const next = former.then(() => {
      waiting.delete(name);
      return begin(name);
    });
    waiting.set(name, next);
    return next;
  };
  return (name) => {
    const next = waiting.get(name);
    if (next) return next;
    const former = underWay.get(name);
    return former ? afterThat(name, former) : begin(name);
  };
}
