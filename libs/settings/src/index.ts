export {
  mayHaveSeveralProcesses,
  type Settings,
  readSettings,
  parseSettings,
  SettingsRefused,
  version,
} from './config';
export { isSeed, processRoles } from './environment';
export { isLoopback, isOnLoopback } from './loopback';
