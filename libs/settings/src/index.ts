export { mayBeSeveral, type Settings, settings, settingsFrom, SettingsRefused, version } from './config';
export { isSeed, roles } from './environment';
export { isLoopback, isOnLoopback } from './loopback';
