import type { Gate } from '../../http/admission/gate';

/** How many costly requests run at once. */
export type Gates = Readonly<{
  /** For questions that cost much. */
  gate: Gate;
  /** For verifications of a history: one at a time (`acceptance.md` I5). */
  verifyGate: Gate;
  /** For open change feeds. */
  feedGate: Gate;
}>;
export const GATES: unique symbol = Symbol('Gates');
