type Place = Readonly<{ organization: string; revision: number }>;

/**
 * The error that the service's answer about a moment differs from the answer that the page computed. The error contains
 * only the organization's id and the revision.
 */
class AnswersDiffer extends Error {
  override readonly name = 'AnswersDiffer';
  readonly organization: string;
  readonly revision: number;

  constructor({ organization, revision }: Place) {
    super('The answer of the service differs from the computed answer.');
    this.organization = organization;
    this.revision = revision;
  }
}

/**
 * Reports the difference as an error of the window. The configured error reporting, if any, receives the error of the
 * window.
 */
export function reportDifference(place: Place): void {
  window.dispatchEvent(new ErrorEvent('error', { error: new AnswersDiffer(place) }));
}

/**
 * The organization and the revision for which the answers differ, for the error report; undefined for any other error.
 */
export const placeOfDifference = (error: unknown): Place | undefined =>
  error instanceof AnswersDiffer ? { organization: error.organization, revision: error.revision } : undefined;
