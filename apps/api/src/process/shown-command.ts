import { resolve } from 'node:path';
import { parseSettings, type Settings } from '@charter/settings';

/**
 * The text of a `./charter` command that opens the stores of this server. Names the folders and files that differ from
 * the defaults, but never the address of a store server, because the address may contain a password. With a store
 * server, the person must add this setting.
 */
export function shownCommand(settings: Pick<Settings, 'data' | 'eventLog' | 'documents'>, args: string): string {
  const { data, eventLog, documents } = settings;
  const byData = parseSettings({ CHARTER_DATA: data });
  const own = [
    data !== resolve('data') && `CHARTER_DATA=${quoted(data)}`,
    eventLog !== byData.eventLog && `EVENT_LOG=${quoted(`sqlite:${eventLog}`)}`,
    documents !== byData.documents && `DOCUMENTS=${quoted(`sqlite:${documents}`)}`,
  ];
  return [...own.filter((part) => part !== false), './charter', args].join(' ');
}

/** The text as one word of a shell. */
const quoted = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
