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
  type DocumentFingerprint,
  type DocumentPage,
  type ListedDocument,
  type ParkedStream,
  type EditionStatus,
  ReadModelNotBuilt,
} from './document-store';
export { type Lag, lagMonitor } from './lag/lag';
export { LATE_SECONDS } from './lag/lag-alarm';
export { project, type Projection } from './project';
export { isUntrusted, type ProjectionPhase } from './projector/projection-state';
export { type BatchReader, readBatches } from './projector/batching';
export type { EditionComparison } from './rebuild/compare-editions';
export { Poisoned, type RebuildProgress } from './rebuild/edition-builder';
export { RebuildDiffers, rebuild } from './rebuild/rebuild';
export { type ProjectionStatus, readProjectionStatus } from './status';
export { type ViewVerification, verifyDocument, verifyView } from './verify-view';
export { type ListedRow, type View } from './view';
export type { PoisonAlarm, ProjectionOptions } from './projector/projection-options';
