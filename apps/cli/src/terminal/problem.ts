import { CatalogueRefused } from '@charter/catalogue';
import { Overloaded, Refused, UnknownRevision, UnreadableStream } from '@charter/aggregates';
import { DatabaseUnavailable } from '@charter/database';
import { Conflict, isLogError, StoreRefused } from '@charter/event-log';
import { RebuildInProgress, RebuildDiffers, Outdated, Overtaken, Poisoned } from '@charter/projections';
import type { RefusalReason } from '@charter/organization';
import { type ProblemDocument, type ProblemReason, problemTypeOf, statusOfRefusal } from '@charter/problems';
import { CertificateNotWritten, ErasedDataRemains, RangeNotInOrder } from '@charter/application';
import { SettingsRefused } from '@charter/settings';

/** A refusal by the command line itself. */
export class CommandDeclined extends Error {
  constructor(
    readonly reason: ProblemReason,
    /** The status of the problem document with which the HTTP interface would answer. */
    readonly status: number,
    sentence: string,
    readonly facts: object = {},
  ) {
    super(sentence);
    this.name = 'CommandDeclined';
  }
}

/** The problem for an error, and whether the error is a refusal. */
export function problemOfFailure(error: unknown): { problem: ProblemDocument; refused: boolean } {
  const declined = refusalOf(error);
  return { problem: printed(declined ?? failureOf(error)), refused: declined !== undefined };
}

function refusalOf(error: unknown): CommandDeclined | undefined {
  if (error instanceof CommandDeclined) return error;
  if (error instanceof UnknownRevision)
    return new CommandDeclined('unknown-revision', 400, `The last revision of the organization is ${error.last}.`, {
      last: error.last,
    });
  if (error instanceof ErasedDataRemains) return new CommandDeclined('erased-data-remains', 503, error.message);
  if (error instanceof CertificateNotWritten) return new CommandDeclined('not-writable', 409, error.message);
  if (error instanceof RangeNotInOrder) return new CommandDeclined('not-in-order', 400, error.message);
  if (error instanceof RebuildInProgress)
    return new CommandDeclined(
      'being-built',
      409,
      `${error.message} Wait for that process, or: charter projections rebuild --take-over`,
    );
  if (error instanceof RebuildDiffers)
    return new CommandDeclined(
      'differing',
      409,
      `${error.message} If the live documents are wrong: charter projections rebuild --accept-differences`,
      { compared: error.compared },
    );
  if (!(error instanceof Refused)) return undefined;
  // `instanceof` does not narrow the type parameter
  const { refused, detail, facts } = (error as Refused<RefusalReason>).refusal;
  return new CommandDeclined(refused, statusOfRefusal(refused), detail, facts);
}

/** Handles errors whose message is written for people. Any other error is a defect of Charter. */
function failureOf(error: unknown): CommandDeclined {
  if (error instanceof SettingsRefused) return new CommandDeclined('settings-refused', 500, error.problems.join(' '));
  if (error instanceof StoreRefused) return new CommandDeclined('store-refused', 503, error.message);
  if (error instanceof CatalogueRefused)
    return new CommandDeclined('catalogue-refused', 500, error.message, { problems: error.problems });
  if (error instanceof UnreadableStream)
    return new CommandDeclined('unreadable-history', 500, error.message, { revision: error.revision });
  if (error instanceof Outdated) return new CommandDeclined('outdated', 503, error.message);
  if (error instanceof Poisoned) return new CommandDeclined('poisoned', 503, error.message);
  if (error instanceof Overtaken) return new CommandDeclined('overtaken', 503, error.message);
  if (error instanceof Overloaded || error instanceof Conflict)
    return new CommandDeclined('busy', 503, 'Other writers changed the stream first. Nothing was written: try again.');
  if (isLogError(error, 'unavailable') || error instanceof DatabaseUnavailable)
    return new CommandDeclined(
      'unavailable',
      503,
      `${error.message.replace(/\.?$/, '.')} If the command changes data, the change may have happened: check before you try again.`,
    );
  if (isLogError(error)) return new CommandDeclined('event-log', 500, error.message);
  const why = error instanceof Error ? error.message : String(error);
  return new CommandDeclined('internal', 500, `An unexpected error: ${why} (--verbose prints the stack).`);
}

const printed = ({ reason, status, message, facts }: CommandDeclined): ProblemDocument => ({
  ...facts,
  ...problemTypeOf(reason),
  status,
  detail: message,
});

/** The refusal when the read model has no documents yet. */
export const noReadModelYet = (
  why = 'The read model was never built. Start the server, or run: charter projections rebuild',
) => new CommandDeclined('not-yet', 503, `There is no answer yet. ${why}`);
