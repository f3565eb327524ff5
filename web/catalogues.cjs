// From a translator's file to what the pages load: messages taken apart at build time, so that the browser parses none.
const { parsePoFile } = require('@lingui/format-po');
const { compileMessageOrThrow } = require('@lingui/message-utils/compileMessage');

/** A module that exports the messages of a .po file, by id. @throws when one is not well formed */
exports.moduleOf = (po, style = 'export const messages =') => `${style} ${JSON.stringify(messagesOf(po))};`;

/** The messages as Lingui wants them; `mapText` changes their words, and leaves placeholders alone. */
const messagesOf = (po, mapText) =>
  Object.fromEntries(
    parsePoFile(po).items.map(({ msgid, msgstr }) => [msgid, compileMessageOrThrow(msgstr[0], mapText)]),
  );
exports.messagesOf = messagesOf;

/** Jest: the same for specs. */
exports.process = (po) => ({ code: exports.moduleOf(po, 'exports.messages =') });
