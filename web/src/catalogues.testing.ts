import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePoFile } from '@lingui/format-po';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

/** The messages of a message catalogue in one language, from its .po file. */
export const messagesIn = (catalogue: string, language: string) =>
  parsePoFile(readFileSync(join(__dirname, '../locales', catalogue, `${language}.po`), 'utf8')).items;
export const messageIdsIn = (catalogue: string, language: string): readonly string[] =>
  messagesIn(catalogue, language).map(({ msgid }) => msgid);

/** The names of the placeholders in a text, such as `{name}` and `{count, plural, …}`. */
export const placeholdersIn = (text: string): readonly string[] =>
  [...new Set(namesIn(compileMessageOrThrow(text)))].sort();
const namesIn = (message: unknown): string[] =>
  (Array.isArray(message) ? message : []).flatMap((part: unknown) => {
    const [name, , forms] = Array.isArray(part) ? (part as [string, string?, object?]) : [];
    return name === undefined ? [] : [name, ...Object.values(forms ?? {}).flatMap(namesIn)];
  });
