import { isRevision } from '../../moment/page-moment';

/** The events to undo, in the form of `POST …/undo`. */
export type UndoneEvents =
  | Readonly<{ event: number }>
  | Readonly<{ events: readonly [first: number, last: number] }>
  | Readonly<{ to: number; only?: readonly string[] }>;

/**
 * The events that an address names: `undo=1191`, `undo=1284..1286` for a commit, or `undo=to:1190` for all events after
 * #1,190. `only` limits the undo to some paths of the document. Undefined if the address names no events.
 */
export function undoRequestIn(address: URLSearchParams): UndoneEvents | undefined {
  const [, kind = '', from = '', to] = /^(to:)?(\d+)(?:\.\.(\d+))?$/.exec(address.get('undo') ?? '') ?? [];
  if (!isRevision(from) || (to !== undefined && !isRevision(to))) return undefined;
  if (to !== undefined) return kind === '' ? { events: [Number(from), Number(to)] } : undefined;
  if (kind === '') return { event: Number(from) };
  const only = (address.get('only') ?? '').split(',').filter((path) => path.startsWith('/'));
  return { to: Number(from), ...(only.length > 0 && { only }) };
}
