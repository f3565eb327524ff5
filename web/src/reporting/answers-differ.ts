type DifferencePlace = Readonly<{
  organization: string;
  revision: number;
  /** The paths at which the answers differ, with spaces between them; empty if a step does not fit the document. */
  paths: string;
}>;

/**
 * The error that the service's answer about a moment differs from the answer that the page computed. The error contains
 * only the organization's id, the revision, and the paths of the different values. It contains no values, because
 * values can be personal data.
 */
class AnswersDiffer extends Error {
  override readonly name = 'AnswersDiffer';
  readonly organization: string;
  readonly revision: number;
  readonly paths: string;

  constructor({ organization, revision, paths }: DifferencePlace) {
    super('The answer of the service differs from the computed answer.');
    this.organization = organization;
    this.revision = revision;
    this.paths = paths;
  }
}

/**
 * Reports the difference as an error of the window. The configured error reporting, if any, receives the error of the
 * window.
 */
export function reportDifference(place: DifferencePlace): void {
  window.dispatchEvent(new ErrorEvent('error', { error: new AnswersDiffer(place) }));
}

/**
 * The organization, the revision and the paths for which the answers differ, for the error report; undefined for any
 * other error.
 */
export const placeOfDifference = (error: unknown): DifferencePlace | undefined =>
  error instanceof AnswersDiffer
    ? { organization: error.organization, revision: error.revision, paths: error.paths }
    : undefined;
