/** The English texts about a problem type, which the page `/problems/<reason>` shows. */
export type ProblemText = Readonly<{
  /** The problem in a short phrase. It is also the `title` of the problem document. */
  title: string;
  /** The state or the request that causes the problem. */
  meaning: string;
  /** The action that helps the caller. */
  remedy: string;
}>;
