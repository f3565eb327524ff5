export { believe } from './checkpoint-validation';
export {
  BeingBuilt,
  type Change,
  type DocumentStore,
  type Edition,
  type EditionFacts,
  type Lease,
  Outdated,
  Overtaken,
  type Page,
  type Parked,
  type Place,
  type Standing,
  Unbuilt,
} from './document-store';
export { LATE_SECONDS } from './lag/lag-alarm';
export type { Lag } from './lag/lag';
export { NotYet, processed } from './lag/position-waiter';
export { project, type Projection, type ProjectOptions } from './project';
export { type Course, isUntrusted, type Phase } from './projector/projection-state';
export type { PoisonAlarm } from './projector/projector';
export type { Comparison } from './rebuild/compare-editions';
export { Poisoned, type Progress } from './rebuild/edition-builder';
export { Differing, rebuild, type RebuildOptions, type Rebuilt } from './rebuild/rebuild';
export { type ProjectionStatus, statusOf } from './status';
export { type Difference, type Verified, verifyDocument, type VerifyProgress, verifyView } from './verify-view';
export { type Row, rowOf, type RowOf, type View } from './view';
