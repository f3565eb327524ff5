import type { Moment } from '@charter/decider';
import type { OrganizationCommand } from '@charter/organization';
import {
  inAcceptedOrder,
  type LaterEvent,
  type LeftValue,
  undoCommands,
  type UndoContext,
} from '@charter/organization-view';
import type { Charter } from '../charter';
import type { ReadUndo } from '../history/undo-reader';
import { asOperator, type CommandPreview, previewOnPresent, type PreviewRequest } from './preview-commands';

/** The commands of an undo, the values that these commands do not restore, and the preview of the commands. */
export type OrganizationUndo = Readonly<{
  commands: readonly OrganizationCommand[];
  /** Whether the commands restore every value that the events changed. */
  exact: boolean;
  leaves: readonly LeftValue[];
  later: readonly LaterEvent[];
  preview: CommandPreview;
  /** The number of further commands that `commands` does not contain, because of `UNDO_COMMANDS_MAX`. */
  more: number;
}>;

type UndoRequest = Pick<PreviewRequest, 'id' | 'context'> &
  Readonly<{ reason: string; newPurchase: UndoContext['newPurchase'] }>;

/**
 * Computes the commands that undo the given changes of an organization. Writes nothing. Undefined if the undo has no
 * effect: the undo needs no command, all values are as before the events, and no later event has changed a value.
 */
export async function undoOnPresent(
  stores: Pick<Charter, 'organizations' | 'catalogue' | 'settings' | 'database'>,
  { id, context, reason, newPurchase }: UndoRequest,
  { changes, later, present }: Omit<ReadUndo, 'isOneCommit'>,
): Promise<OrganizationUndo | undefined> {
  const added = changes.flatMap(({ part: [field, member = ''], target }) =>
    field === 'members' && target !== undefined && !Object.hasOwn(present.state.members, member) ? [member] : [],
  );
  const at: Moment = context.at;
  const erased = await erasedAmong(stores, added);
  const { productKey } = stores.settings;
  const undo = undoCommands(changes, present.state, productKey, { at, reason, erased, newPurchase });
  const { leaves, more } = undo;
  if (undo.commands.length + leaves.length + later.length === 0) return undefined;

  const decide = (commands: readonly OrganizationCommand[]) =>
    stores.organizations.previewOn(present, commands, asOperator(context), { isLenient: true });
  const commands = inAcceptedOrder(undo.commands, (ordered) => decide(ordered).refused.map(({ index }) => index));
  const preview = previewOnPresent(stores, { id, commands, context, isLenient: true }, present);
  const exact = leaves.length + later.length + more + preview.refused.length === 0;
  return { commands, exact, leaves, later, preview, more };
}

/** The maximum number of account ids in one query. */
const IDS_MAX = 500;

async function erasedAmong(
  { database }: Pick<Charter, 'database'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const erased = new Set<string>();
  for (let from = 0; from < ids.length; from += IDS_MAX) {
    const accounts = await database.people.accounts.byIds(ids.slice(from, from + IDS_MAX));
    for (const { id, state } of accounts) if (state === 'erased') erased.add(id);
  }
  return erased;
}
