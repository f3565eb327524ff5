type Answered<Data> = Readonly<{
  /**
   * The last answer. After a change of the query's arguments, still the answer for the previous arguments, until the
   * next answer arrives.
   */
  data?: Data | undefined;
  /** The answer for the query's current arguments. */
  currentData?: Data | undefined;
  error?: unknown;
  isFetching: boolean;
}>;

/**
 * Whether the browser waits for the first answer. False after a failure, so that the page keeps its other parts in view
 * while the browser repeats the request.
 */
export const isFirstLoad = ({ isLoading, error }: FirstLoad) => isLoading && !error;

/** The part of a query that says whether the browser waits for the first answer. */
export type FirstLoad = Readonly<{ isLoading?: boolean; error?: unknown }>;

/**
 * The answer that a page may show. While the browser loads the answer for another moment, the previous answer stays.
 * After a failure, only an answer for the current arguments stays.
 */
export const answerOf = <Data>({ data, currentData, error, isFetching }: Answered<Data>): Data | undefined =>
  error === undefined || isFetching ? data : currentData;
