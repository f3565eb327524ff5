import type { Gate } from '../../http/admission/gate';

/** The limits of costly requests. */
export type Gates = Readonly<{
  /** For costly reads. */
  gate: Gate;
  /** For verifications of a history: one at a time (`acceptance.md` I5). */
  verifyGate: Gate;
  /** For open change feeds. */
  feedGate: Gate;
}>;
export const GATES: unique symbol = Symbol('Gates');
