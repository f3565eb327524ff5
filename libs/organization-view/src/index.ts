export { type Cause, type Causes } from './differences/causes';
export * from './differences/difference';
export { answerSchemasHash, hashOfSchemas, tagAt, tagOf } from './etag';
export { entitlementSnapshotAt, type LimitSnapshot } from './entitlement-snapshot';
export {
  Because,
  entitlement,
  EntitlementAnswer,
  type EntitlementKey,
  entitlementKeys,
  entitlements,
  EntitlementsAnswer,
} from './printed-entitlements';
export { evaluateFlags, flagKeys } from './flags/evaluate-flags';
export { Flag, UNLIMITED } from './flags/flag';
export { type FlagSubject, flagSubjectIn, targetingKeyOf } from './flags/flag-subject';
export { type CommandEffect, previewDocument, type PreviewDocument, previewFields } from './preview/preview-document';
export * from './public-document';
export * from './organization-query';
export { MadeAnswer, ReceiptAnswer, receiptDocument, receiptFields } from './receipt-document';
export { recordedState } from './recorded-state';
export * from './answer-fields';
export { patchBetween, PatchLine } from './differences/json-patch';
export { namesIn, pointerOf } from './differences/json-pointer';
export { ValueChange, valueChangeOf, type ValueOf } from './changes/value-change';
export { isValuePath, namesEntry, valueFields } from './changes/value-path';
export { Part } from './steps/parts';
export { Step, StepBase, stepBase, stepper, type StepsOf } from './steps/step';
export { isAbout, isSubject, subjectNames } from './steps/subject';
export { byText, isMatch, type PageEnd, pageOf } from './lists/page-of';
export { oneSite, SiteAnswer } from './sites/one-site';
export { siteList, SiteSort, SitesPart } from './sites/site-list';
export { singleSignOn, SingleSignOnAnswer } from './single-sign-on';
export { eventsBy, type Timeline, timelineFields, printedTimeline, type TimelineWanted } from './timeline/timeline';
export { heldTermsOf, type TaggedTerms, termsTag, TERMS_TAGS } from './terms-tag';
export { continueTimeline, emptyTimeline, type TimelineRecord } from './timeline/timeline-record';
export { type ChangesToUndo, collectChangesToUndo, LaterEvent, type UndoRange } from './undo/changes-to-undo';
export { inAcceptedOrder, LeftValue, undoCommands, UNDO_COMMANDS_MAX } from './undo/undo-commands';
export type { UndoContext } from './undo/undo-parts';
export * from './view';
