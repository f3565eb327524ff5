export type { AccountKeeping } from './accounts';
export { type Belonging, belongingsOf, type Left } from './belonging';
export * from './charter';
export * from './common-passwords';
export * from './config';
export { Busy, type Passwords, passwords } from './passwords';
export { random } from './random';
export * from './secret';
export { type AuditTrail, auditTrail, type By } from './trail';
