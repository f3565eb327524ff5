import {
  type CommandsWith,
  type CommandType,
  heldPlans,
  keysOf,
  listCommands,
  type Organization,
  type OrganizationCommand,
  type ProductLine,
  schemaOf,
  setters,
} from '@charter/organization';
import { z } from 'zod';
import { pointerOf } from '../differences/json-pointer';
import type { ChangeToUndo } from './changes-to-undo';
import { type UndoAct, type UndoContext, UndoGap, undoPath, undoRow } from './undo-parts';

/** A value that the commands of an undo do not restore, or do not restore completely. */
export const LeftValue = z
  .strictObject({ path: z.string(), why: UndoGap })
  .meta({ id: 'LeftValue', description: 'A value of the keyed document that the commands do not restore completely' });
export type LeftValue = Readonly<z.infer<typeof LeftValue>>;

/** The commands of an undo, in the order of their execution. */
export type UndoCommands = Readonly<{
  commands: readonly OrganizationCommand[];
  /** The number of further commands beyond `UNDO_COMMANDS_MAX`. */
  more: number;
  leaves: readonly LeftValue[];
}>;

/** The maximum number of commands in one request (`api.md`). */
export const UNDO_COMMANDS_MAX = 20;

/** The commands that give the changed parts their earlier values. */
export function undoCommands(
  changes: readonly ChangeToUndo[],
  present: Organization,
  product: string,
  context: UndoContext,
): UndoCommands {
  const leaves: LeftValue[] = [];
  const replacements = new Set<string>();
  const restored = changes.flatMap(({ part, target, paths }) => {
    const { read, restore } = undoRow(part[0]);
    const id = part[1] ?? '';
    const leave = (why: UndoGap) =>
      leaves.push(...paths.map((path) => ({ path: pointerOf(undoPath(part, path, product)), why })));
    const acts = restore({ id, target, present: read(present, id), paths }, context, present);
    const commands = acts.filter((act) => {
      if ('gap' in act) {
        leave(act.gap);
        if (act.replacement !== undefined) replacements.add(act.replacement);
      } else if (isValid(act)) return true;
      else leave('no-command'); // an old value that today's schema refuses, for example an empty name
      return false;
    }) as OrganizationCommand[];
    // A reopened organization closes again only after all other commands, perhaps in another request.
    if (part[0] === 'closed') return commands.map((command) => [command]);
    if (commands.length <= UNDO_COMMANDS_MAX) return [commands];
    leave('no-command');
    return [];
  });
  // After an undo, the new purchase is a change since the revision, too; the same undo must not cancel this purchase.
  const isReplacement = ({ type, data }: OrganizationCommand) =>
    type === 'CancelAddOn' && replacements.has(data.purchase);
  const parts = restored.map((commands) => commands.filter((command) => !isReplacement(command)));
  const all = parts.flat();
  const isLimiting = holdsNoPlan(all, present);
  const first = firstParts(parts).flat();
  return {
    commands: first.toSorted(byExecution(first)),
    more: all.length - first.length,
    leaves: leaves
      .filter(({ why }) => why !== 'limits-go-on' || isLimiting)
      .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
}

const isValid = ({ type, data }: Exclude<UndoAct, { gap: unknown }>): boolean => schemaOf(type).safeParse(data).success;

/**
 * Whether no product line has a plan after these commands. Without a plan, the limits of the plan that ended last stay
 * in force.
 */
function holdsNoPlan(commands: readonly OrganizationCommand[], present: Organization): boolean {
  const lines = new Set<ProductLine>(heldPlans(present).map(({ line }) => line));
  for (const { type, data } of commands) {
    if (type === 'EndPlan') lines.delete(data.line);
    if (type === 'AssignPlan') lines.add(data.line);
  }
  return lines.size === 0;
}

type Place = 'first' | 'entries' | 'last';
/**
 * The places of commands that are not in the tables of lists and fields, in the order of execution. If a command
 * without a table has no place here, this file does not compile.
 */
const places = {
  ReopenOrganization: 'first',
  ...{ ChangeRole: 'entries', FlagProductUser: 'entries', UnflagProductUser: 'entries' },
  ...{ RenameSite: 'entries', ChangeSiteFeatures: 'entries' },
  ...{ AssignServiceLevel: 'last', EnableProduct: 'last', PurchaseAddOn: 'last', ChangeQuantity: 'last' },
  ...{ OverrideHardLimits: 'last', AssignPlan: 'last', ConfigureLimits: 'last', DisableProduct: 'last' },
  ...{ CancelAddOn: 'last', EndPlan: 'last', RestoreHardLimits: 'last', CloseOrganization: 'last' },
} as const satisfies Readonly<Record<CommandWithoutDefault, Place>>;
/** An undo never contains `ReportTraffic` and the commands that only their own routes accept. */
type CommandWithoutDefault = Exclude<
  CommandType,
  CommandsWith<'adds'> | CommandsWith<'removes'> | CommandsWith<'sets'> | CommandsWith<'ownRouteOnly'> | 'ReportTraffic'
>;

/**
 * The order in which an undo executes its commands. Removals come before additions, because a removal can make room for
 * an addition or free its hostname. Commands that can lower limits come late, because an addition may be beyond the
 * restored limits.
 */
const execution: readonly CommandType[] = [
  ...placed('first'),
  ...listCommands.map(({ remove }) => remove),
  ...listCommands.map(({ add }) => add),
  ...placed('entries'),
  ...setters.map(({ type }) => type),
  ...placed('last'),
];

function placed(place: Place): readonly CommandType[] {
  return keysOf(places).filter((type) => places[type] === place);
}

/**
 * The commands that can make further commands possible, for example with a higher limit. If an undo needs several
 * requests, the first request contains these commands.
 */
const roomMakers: readonly CommandType[] = [
  ...(['ReopenOrganization', 'AssignPlan', 'PurchaseAddOn', 'ChangeQuantity', 'ConfigureLimits'] as const),
  ...(['OverrideHardLimits', 'AssignServiceLevel', 'EnableProduct'] as const),
];

/** The commands that restore one part of the state, for example a member with its role and its flag. */
type PartCommands = readonly OrganizationCommand[];

/**
 * The parts for the next request. All commands of a part are in the same request, because the next undo keeps a part
 * that these commands have changed: for this undo, they are later events.
 */
function firstParts(parts: readonly PartCommands[]): readonly PartCommands[] {
  const sorted = parts.filter((commands) => commands.length > 0).toSorted(bySelection);
  let count = 0;
  const end = sorted.findIndex((commands) => (count += commands.length) > UNDO_COMMANDS_MAX);
  return end < 0 ? sorted : sorted.slice(0, end);
}

function bySelection(one: PartCommands, other: PartCommands): number {
  const makesRoom = (commands: PartCommands) => commands.some(({ type }) => roomMakers.includes(type));
  const place = (commands: PartCommands) => Math.min(...commands.map(({ type }) => execution.indexOf(type)));
  return Number(makesRoom(other)) - Number(makesRoom(one)) || place(one) - place(other);
}

/** If the undo ends a plan of a product line and assigns another plan of this line, the end comes directly before. */
function byExecution(commands: PartCommands): (one: OrganizationCommand, other: OrganizationCommand) => number {
  const assigned = new Set(commands.flatMap(({ type, data }) => (type === 'AssignPlan' ? [data.line] : [])));
  const place = ({ type, data }: OrganizationCommand) =>
    execution.indexOf(type === 'EndPlan' && assigned.has(data.line) ? 'AssignPlan' : type);
  return (one, other) => place(one) - place(other);
}

/**
 * Moves the refused commands behind the accepted commands, and repeats this step while each repetition reduces the
 * number of refused commands. For example, a member joins only after the removal of another member, and an owner leaves
 * only after another owner has joined.
 * @param refusedOf decides commands one after the other, and returns the indexes of the refused commands
 */
export function inAcceptedOrder(
  commands: readonly OrganizationCommand[],
  refusedOf: (commands: readonly OrganizationCommand[]) => readonly number[],
): readonly OrganizationCommand[] {
  // A closed organization refuses nearly all commands, so the closing comes last.
  const isLast = ({ type }: OrganizationCommand) => type === 'CloseOrganization';
  let ordered = commands;
  for (let refusedBefore = Infinity; ;) {
    const refused = new Set(refusedOf(ordered));
    if (refused.size === 0 || refused.size >= refusedBefore) return ordered;
    refusedBefore = refused.size;
    const accepted = ordered.filter((command, index) => !refused.has(index) && !isLast(command));
    const others = ordered.filter((command, index) => refused.has(index) && !isLast(command));
    ordered = [...accepted, ...others, ...ordered.filter(isLast)];
  }
}
