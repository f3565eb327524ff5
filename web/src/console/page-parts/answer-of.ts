type Answered<Data> = Readonly<{
  /** The last answer; just after a change of the arguments, still the answer for the previous arguments. */
  data?: Data | undefined;
  /** The answer for the present arguments. */
  currentData?: Data | undefined;
  error?: unknown;
  isFetching: boolean;
}>;

/**
 * The answer that a page may show. While the browser loads the answer for another moment, the previous answer stays.
 * After a failure, only an answer for the present arguments stays.
 */
export const answerOf = <Data>({ data, currentData, error, isFetching }: Answered<Data>): Data | undefined =>
  error === undefined || isFetching ? data : currentData;
