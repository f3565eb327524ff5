export { validateCheckpoint } from './checkpoint-validation';
export {
  RebuildInProgress,
  type EditionChange,
  type DocumentStore,
  type Edition,
  type EditionSummary,
  type Lease,
  Outdated,
  Overtaken,
  type DocumentPage,
  type ParkedStream,
  type EditionCursor,
  type EditionStatus,
  ReadModelNotBuilt,
} from './document-store';
export { LATE_SECONDS } from './lag/lag-alarm';
export type { Lag } from './lag/lag';
export { PositionNotReached, positionWaiter } from './lag/position-waiter';
export { project, type Projection, type ProjectionOptions } from './project';
export { type ProjectionState, isUntrusted, type ProjectionPhase } from './projector/projection-state';
export type { PoisonAlarm } from './projector/projector';
export type { EditionComparison } from './rebuild/compare-editions';
export { Poisoned, type RebuildProgress } from './rebuild/edition-builder';
export { RebuildDiffers, rebuild, type RebuildOptions, type RebuildResult } from './rebuild/rebuild';
export { type ProjectionStatus, readProjectionStatus } from './status';
export {
  type DocumentDifference,
  type ViewVerification,
  verifyDocument,
  type VerifyProgress,
  verifyView,
} from './verify-view';
export { type ListedRow, listedRowOf, type ListedRowOf, type View } from './view';
