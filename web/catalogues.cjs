// Compiles a .po file for the pages: the build parses all messages, so that the browser parses none.
const { parsePoFile } = require('@lingui/format-po');
const { compileMessageOrThrow } = require('@lingui/message-utils/compileMessage');

/** A module that exports the messages of a .po file, by id. @throws if a message is malformed */
exports.moduleOf = (po, style = 'export const messages =') => `${style} ${JSON.stringify(messagesOf(po))};`;

/** The compiled messages by id. `mapText` can change the words of a message, but not its placeholders. */
const messagesOf = (po, mapText) =>
  Object.fromEntries(
    parsePoFile(po).items.map(({ msgid, msgstr }) => [msgid, compileMessageOrThrow(msgstr[0], mapText)]),
  );
exports.messagesOf = messagesOf;

/** The Jest transform for .po files. */
exports.process = (po) => ({ code: exports.moduleOf(po, 'exports.messages =') });
