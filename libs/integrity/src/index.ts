export { canonicalText } from './canonical';
export { BrokenChain, assertStreamReaches } from './chain-errors';
export {
  type Chain,
  chainFrom,
  missingEndMessage,
  missingSeenMessage,
  ZERO_HASH,
  plainJson,
  sealEvents,
  type SealedEvent,
  type ChainVerification,
  verifyChain,
} from './chain';
export { readLines } from './file-lines';
export { digestOfShown, type ShownEvent, shownEvent } from './shown-events';
export { type ExportSummary, type ExportFlaw, ImportRefused } from './log-export/export-format';
export type { LogChecksum } from './log-export/log-checksum';
export {
  countImported,
  importLog,
  readExportSummary,
  exportLog,
  checksumOfExport,
  checksumOfLog,
} from './log-export/log-export';
export {
  ALL_STREAMS,
  openCheckpoint,
  rootOf,
  rootBuilder,
  signCheckpoint,
  type SignedCheckpoint,
  SIGNER_NAME,
} from './signed-checkpoint';
export {
  NoteRefused,
  openNote,
  type Signer,
  signerOf,
  signNote,
  UnknownSigner,
  type Verifier,
  verifierOf,
} from './signed-note';
export { signStreamCheckpoint } from './stream-checkpoint';
export { type StreamExportSummary, exportStream } from './stream-export';
