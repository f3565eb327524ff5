export { type Aggregates, aggregates } from './aggregates';
export { deadlineFromNow } from './deadline';
export {
  NotAsShown,
  type Preview,
  RevisionMismatch,
  type Receipt,
  Refused,
  UnknownRevision,
  UnreadableStream,
} from './receipts';
export { inForceFrom, type ReplayRange, type HistoryPoint } from './replay';
export {
  eventFilter,
  type ReadOrder,
  readRevisionRange,
  readRevisionRangeWithTexts,
  type RevisionRange,
  revisionRangeOf,
} from './revision-range';
export { Overloaded } from './stream-queue';
