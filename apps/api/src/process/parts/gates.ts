import type { Gate } from '../../http/admission/gate';

/** Limits on the numbers of simultaneous long reads, verifications and change feeds. */
export type Gates = Readonly<{
  /** The gate for long reads. */
  gate: Gate;
  /** The gate for verifications of a history. Only one verification runs at a time (`acceptance.md` I5). */
  verifyGate: Gate;
  /** The gate for open change feeds. */
  feedGate: Gate;
}>;
export const GATES: unique symbol = Symbol('Gates');
