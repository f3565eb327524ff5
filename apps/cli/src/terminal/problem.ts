import { CatalogueRefused } from '@charter/catalogue';
import { Overloaded, Refused, UnknownRevision, Unreadable } from '@charter/aggregates';
import { Conflict, isLogError, StoreRefused } from '@charter/event-log';
import { BeingBuilt, Differing, Outdated, Overtaken, Poisoned } from '@charter/projections';
import type { Reason } from '@charter/organization';
import { calledBy, type Problem, statusOf } from '@charter/problems';
import { NotInOrder } from '@charter/application';
import { SettingsRefused } from '@charter/settings';

/** Refused by the command line itself. */
export class Declined extends Error {
  constructor(
    readonly reason: string,
    /** As the interface would answer. */
    readonly status: number,
    sentence: string,
    readonly facts: object = {},
  ) {
    super(sentence);
    this.name = 'Declined';
  }
}

/** What to say about an error, and whether somebody said no or something went wrong. */
export function problemOf(error: unknown): { problem: Problem; refused: boolean } {
  const declined = refusalOf(error);
  return { problem: printed(declined ?? failureOf(error)), refused: declined !== undefined };
}

function refusalOf(error: unknown): Declined | undefined {
  if (error instanceof Declined) return error;
  if (error instanceof UnknownRevision)
    return new Declined('unknown-revision', 400, `The organization ends at revision ${error.last}.`, {
      last: error.last,
    });
  if (error instanceof NotInOrder) return new Declined('not-in-order', 400, error.message);
  if (error instanceof BeingBuilt)
    return new Declined(
      'being-built',
      409,
      `${error.message} Wait for it, or: charter projections rebuild --take-over`,
    );
  if (error instanceof Differing)
    return new Declined(
      'differing',
      409,
      `${error.message} If they are the wrong ones: charter projections rebuild --accept-differences`,
      { compared: error.compared },
    );
  if (!(error instanceof Refused)) return undefined;
  const { refused, detail, facts } = (error as Refused<Reason>).refusal; // instanceof leaves its parameter open
  return new Declined(refused, statusOf(refused), detail, facts);
}

/** What stands in the way and has a sentence of its own; anything else is a mistake of ours. */
function failureOf(error: unknown): Declined {
  if (error instanceof SettingsRefused) return new Declined('settings-refused', 500, error.problems.join(' '));
  if (error instanceof StoreRefused) return new Declined('store-refused', 503, error.message);
  if (error instanceof CatalogueRefused)
    return new Declined('catalogue-refused', 500, error.message, { problems: error.problems });
  if (error instanceof Unreadable)
    return new Declined('unreadable-history', 500, error.message, { revision: error.revision });
  if (error instanceof Outdated || error instanceof Poisoned || error instanceof Overtaken)
    return new Declined(kebab(error.name), 503, error.message);
  if (error instanceof Overloaded || error instanceof Conflict)
    return new Declined('busy', 503, 'Others kept writing first. Nothing was written: try again.');
  if (isLogError(error, 'unavailable'))
    return new Declined('unavailable', 503, `${error.message} It may have happened: look before you try again.`);
  if (isLogError(error)) return new Declined('event-log', 500, error.message);
  const why = error instanceof Error ? error.message : String(error);
  return new Declined('internal', 500, `This went wrong unexpectedly: ${why} (--verbose says where).`);
}

const printed = ({ reason, status, message, facts }: Declined): Problem => ({
  ...facts,
  ...calledBy(reason),
  status,
  detail: message,
});

const kebab = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

/** There are no documents that could answer. */
export const notYet = (why = 'The read model was never made. Start the server, or: charter projections rebuild') =>
  new Declined('not-yet', 503, `There is no answer yet. ${why}`);
