import { readFileSync } from 'node:fs';

/** A fenced block of commands, and the answer that the page shows below it, if it shows one. */
export type Shown = Readonly<{ heading: string; commands: string; answer?: unknown }>;

/**
 * What npx finds here, without npx, which takes longer than all that it runs. How npx finds it: `charter.spec.ts`, and once
 * in `readme.spec.ts`.
 */
export const withoutNpx = `npx() { local command=$1; shift; node_modules/.bin/"$command" "$@"; }`;

/** The commands of a page, in order, with what it promises that the last of each block prints. */
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
