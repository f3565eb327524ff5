import { readFileSync } from 'node:fs';

/** A fenced block of commands, and the answer that the page shows below it, if there is one. */
export type Shown = Readonly<{ heading: string; commands: string; answer?: unknown }>;

/**
 * Runs the command that npx would find, without npx, which takes longer than all that it runs. `charter.spec.ts` and
 * `readme.spec.ts` cover npx itself.
 */
export const withoutNpx = `npx() { local command=$1; shift; node_modules/.bin/"$command" "$@"; }`;

/** The commands of a page, in order, each block with the output of its last command if the page shows one. */
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
