export { type Cause, type Causes, CAUSES_MAX } from './causes';
export * from './changes';
export * from './difference';
export { type Entitled, entitledAt, type LimitLook } from './entitled';
export * from './printed-entitlements';
export * from './public-document';
export * from './question';
export { recordedState, type RecordedState } from './recorded-state';
export * from './view';
