import { readFileSync } from 'node:fs';

/** A fenced block of commands, and the answer that the page shows below it, if any. */
export type Shown = Readonly<{ heading: string; commands: string; answer?: unknown }>;

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
