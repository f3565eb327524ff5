export type { AccountKeeping } from './accounts';
export { forgetNote, noteBackup } from './backup-note';
export { type Belonging, belongingsOf, type Left } from './belonging';
export * from './billing/index';
export { type Erasure, openCertificate } from './certificate';
export { type Certificates, erasuresFolder, writeCertificate } from './certificates';

export * from './chains';

export * from './charter';
export * from './common-passwords';
export * from './config';
export { type Between, differenceOf, NotInOrder } from './difference';
export { exportAll, exportOne } from './exporting';
export { followErasures, followLog, type Followed } from './following';
export { type Role, roles } from './environment';
export { isLoopback, isOnLoopback } from './loopback';
export { Busy, type Passwords, passwords } from './passwords';
export { random } from './random';
export * from './secret';
export { NotWhole, verifyReadModels } from './read-model';
export { lastSigned, NotBelieved, openedBy } from './signed';
export { type JustSigned, NotSigned, signAll } from './signing';
export { type AuditTrail, auditTrail, type By } from './trail';
export { followAnew } from './since';
