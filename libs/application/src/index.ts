export type { AccountService } from './accounts/accounts';
export type { AuditTrail, AuditContext } from './accounts/audit-trail';
export { certifyErasures, ErasedDataRemains } from './accounts/certify-erasures';
export { commonPasswords } from './accounts/common-passwords';
export { CertificateNotWritten, erasuresFolder, writeCertificate } from './accounts/erasure-certificates';
export { accountMembershipIn, accountMembershipsOf, isMemberAdded, isMemberSomewhere } from './accounts/memberships';
export { HashingOverloaded } from './accounts/passwords';
export { type BillingService, billingService, type StoredMessage } from './billing/billing-inbox';
export { handleOf, messageKeyOf, type MessageKey, providerNameOf } from './billing/message-handles';
export {
  releaseAbandonedClaim,
  releaseUnlessLinked,
  replayCustomerLinks,
  settleCustomerLink,
} from './billing/restore-customers';
export { type Erasure, openCertificate } from './accounts/erasure-certificate';
export { type Charter, charterOver, openCharter, originOf, SERVED_AT } from './charter';
export { readOrganizationDifference, RangeNotInOrder } from './history/difference';
export { exportWholeLog, exportOrganization, signOrganizationCheckpoint } from './history/export-streams';
export { createNamedIdsReader, type NamedIds } from './history/names/named-ids';
export { createHistoryReaders, type HistoryReaderEntry, type HistoryReaders } from './history/readers/history-readers';
export { createReadsProjector } from './history/readers/project-reads';
export { readReadsStatus } from './history/readers/reads-status';
export { createStateReader } from './history/snapshots/state-reader';
export { createStepReader, type StepBlock, STEPS_MAX } from './history/step-reader';
export { createTimelineReader, type ReadTimeline } from './history/timeline-reader';
export { createUndoReader } from './history/undo-reader';
export { createValueReader, type ValueChanges } from './history/value-reader';
export { signedPartOf } from './history/signed-part';
export { SignedMeanwhile, SigningRefused, signWholeLog } from './history/sign-checkpoints';
export { lastSignedCheckpoint, SignedHeadsInvalid, openOwnCheckpoint } from './history/signed-checkpoints';
export {
  type ChainsReport,
  documentDiffersMessage,
  verifyAllChains,
  verifyChainOf,
  verifyOrganization,
} from './history/verify-chains';
export { LogIncomplete, verifyReadModels } from './history/verify-read-model';
export {
  type CommandEffects,
  organizationCommands,
  type OrganizationCommands,
} from './organizations/organization-commands';
export { finishRemoval, forgetRemovedMembers, withdrawInvitation } from './organizations/forget-removed-members';
export { type CommandPreview, previewNow, previewOn, previewOnPresent } from './organizations/preview-commands';
export { undoOnPresent } from './organizations/undo';
export { secureRandom } from './random';
export {
  emptyBackupNote,
  hasBackupNote,
  removeBackupNote,
  renewBackupNote,
  writeBackupNote,
} from './restore-detection/backup-note';
export { resetBookmark } from './restore-detection/events-since';
export { replayClosings } from './restore-detection/replay-closings';
export { type ReplayedChanges, replayErasures, replayAccountChanges } from './restore-detection/replay-erasures';
export type { KeyFor } from './derived-keys';
export { secretFiles } from './secret-file';
export { sharedSecretsCheck } from './shared-secrets';
