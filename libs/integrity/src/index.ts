export { canonicalText } from './canonical';
export { Broken, mustReach } from './chain-errors';
export {
  canonical,
  type Chain,
  chainFrom,
  type End,
  type Ended,
  endMissing,
  hashOf,
  isAnother,
  type Link,
  noHash,
  plain,
  seal,
  type Sealed,
  type Verdict,
  verifyChain,
  WRITTEN_AGAIN,
} from './chain';
export { linesIn } from './file-lines';
export { type Closing, type Flaw, NotCarried, type Signed } from './log-export/export-format';
export type { Sum } from './log-export/log-checksum';
export { carriedAlready, carryInto, closingOf, linesOf, sumOfLines, sumOfLog } from './log-export/log-export';
export {
  EVERYTHING,
  type Head,
  openCheckpoint,
  rootOf,
  rootOver,
  signCheckpoint,
  type SignedCheckpoint,
  SIGNER_NAME,
  sourceOf,
} from './signed-checkpoint';
export { NoteRefused, openNote, type Signer, signerOf, signNote, type Verifier, verifierOf } from './signed-note';
export { type Exported, exportOf } from './stream-export';
