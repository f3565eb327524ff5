import type { Gate } from '../../http/admission/gate';

/** Limits on the number of simultaneous long reads. */
export type Gates = Readonly<{
  /** The gate for long reads. */
  gate: Gate;
  /** The gate for verifications of a history. Only one verification runs at a time (`acceptance.md` I5). */
  verifyGate: Gate;
  /** The gate for open change feeds. */
  feedGate: Gate;
}>;
export const GATES: unique symbol = Symbol('Gates');
