export { mayHaveSeveralProcesses, readSettings, parseSettings, SettingsRefused, version } from './config';
export { isSeed, processRoles } from './environment';
export { isLoopback, isOnLoopback } from './loopback';
export type { Settings } from './settings';
