import type { Immutable } from '@charter/decider';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { createUndoReader, undoOnPresent } from '@charter/application';
import type { OrganizationCommand } from '@charter/organization';
import { isValuePath, type LaterEvent, type LeftValue, pointerOf } from '@charter/organization-view';
import { HistoryReadHandler } from '../../history/history-read-handler';
import { malformedRequest, ProblemError } from '../../http/problems/problem';
import { deterministicId, type OrganizationCall } from '../../http/request-context';
import { type PrintedPreview, printedPreview } from './previews.handler';
import type { UndoRequest } from './undo.requests';

type PrintedUndo = Immutable<{
  revision: number;
  commands: OrganizationCommand[];
  exact: boolean;
  leaves: LeftValue[];
  later: LaterEvent[];
  preview: PrintedPreview;
  more?: number;
}>;

/** Computes the commands that undo events of an organization, and writes nothing. */
export class UndoEvents extends Query<PrintedUndo> {
  constructor(
    readonly id: string,
    readonly request: UndoRequest,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(UndoEvents)
export class UndoEventsHandler extends HistoryReadHandler implements IQueryHandler<UndoEvents> {
  private readonly reader = createUndoReader(this.runtime);

  async execute({ id, request, call }: UndoEvents) {
    const { productKey: product } = this.runtime.settings;
    const { context } = call;
    const { first, last, only, words } = rangeOf(request);
    const read = await this.readHistory(id, call, {
      distance: () => this.reader.distance(id, first),
      read: (gone) => {
        for (const [index, path] of (only ?? []).entries())
          if (path.length === 0 || !isUndoPath(path, product)) throw unknownPath(index, path);
        return this.reader.read({ id, product }, { first, last, only }, gone);
      },
    });
    const newPurchase = (cancelled: string, sale: number) => deterministicId('undo', id, cancelled, String(sale));
    if (request.events && !read.isOneCommit) throw severalCommits();
    const reason = request.reason ?? words;
    const undo = await undoOnPresent(this.runtime, { id, context, reason, newPurchase }, read);
    if (!undo)
      throw new ProblemError(
        409,
        'nothing-to-undo',
        'The events changed no value that an undo could restore. Name events that changed a value.',
      );
    const { commands, exact, leaves, later, preview, more } = undo;
    const printed = printedPreview(preview);
    return { revision: preview.revision, commands, exact, leaves, later, preview: printed, ...(more > 0 && { more }) };
  }
}

/** The events to undo, and the default `reason` for the commands that have this field. */
function rangeOf({ event, events, to = 0, only }: UndoRequest) {
  if (event !== undefined) return { first: event, last: event, words: `undo of #${event}` };
  if (events) return { first: events[0], last: events[1], words: `undo of #${events[0]} to #${events[1]}` };
  return { first: to + 1, only, words: `as it was at #${to}` };
}

const severalCommits = () =>
  malformedRequest([{ path: 'events', message: 'must be events of one commit; for other events, send `to`' }]);

/**
 * Whether an undo can restore the value at a path. `isValuePath` refuses `/limits/override`, because the document has
 * no such field, but an undo can restore the override.
 */
const isUndoPath = (path: readonly string[], product: string): boolean =>
  isValuePath(path, product) || pointerOf(path) === '/limits/override';

const unknownPath = (index: number, path: readonly string[]) =>
  malformedRequest([{ path: `only.${index}`, message: `${pointerOf(path) || 'the whole document'} names no value` }]);
