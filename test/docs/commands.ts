import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const charter = resolve(__dirname, '../../dist/apps/api/apps/cli/src/main.js');

/** A fenced block of commands, and the answer that the page shows below it, if any. */
export type Shown = Readonly<{ heading: string; commands: string; answer?: unknown }>;

/**
 * A shell function that replaces npx and runs the same command, because npx takes longer than the commands. It runs
 * `charter` without `bin/charter.mjs`, which first compares the build with its sources. `charter.spec.ts` and
 * `readme.spec.ts` test npx itself, and the file in `bin`.
 */
export const withoutNpx = `npx() {
  local command=$1; shift
  if [ "$command" = charter ]; then "${process.execPath}" "${charter}" "$@"; else node_modules/.bin/"$command" "$@"; fi
}`;

/** The blocks of commands of a page, in order. Each has the answer of its last command, if the page shows it. */
export function commandsIn(file: string): readonly Shown[] {
  const shown: Shown[] = [];
  let heading = '';
  for (const [, title, language, text = ''] of readFileSync(file, 'utf8').matchAll(
    /^#+ (.*)$|^ *```(\w+)\n([\s\S]*?)^ *```$/gm,
  )) {
    if (title !== undefined) heading = title;
    else if (language === 'sh') shown.push({ heading, commands: text });
    else if (language === 'json' && shown.length > 0) shown.push({ ...shown.pop()!, answer: JSON.parse(text) });
  }
  return shown;
}
