/** One instruction, with its continued lines joined: its name such as `COPY`, its text, and its flags. */
type Step = Readonly<{ does: string; given: string; flags: Readonly<Record<string, string>> }>;
export type Stage = Readonly<{ base: string; name: string; steps: readonly Step[] }>;

/** The stages of a Dockerfile. The parser supports no here-documents, and variables only in commands. */
export function stagesOf(text: string): readonly Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { base: string; name: string; steps: Step[] }[] = [];
  for (const line of lines) {
    const [, does = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const [base = '', , name = 'image'] = rest.split(' ');
    if (does === 'FROM') stages.push({ base, name, steps: [] });
    else stages.at(-1)!.steps.push({ does, ...withFlags(rest) });
  }
  return stages;
}

function withFlags(rest: string): Pick<Step, 'given' | 'flags'> {
  const [before] = /^(--[a-z-]+=\S+ +)*/.exec(rest)!;
  const flags = [...before.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]);
  return { given: rest.slice(before.length), flags: Object.fromEntries(flags) as Step['flags'] };
}

/** The words of an instruction whose text is a JSON list. */
export const wordsOf = (stage: Stage, does: string): readonly string[] =>
  JSON.parse(stage.steps.find((step) => step.does === does)!.given.replace(/^CMD +/, '')) as string[];

/** The settings that `ENV` instructions give the image. */
export const environmentOf = (stage: Stage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    stage.steps
      .filter(({ does }) => does === 'ENV')
      .flatMap(({ given }) => given.split(' ').map((pair) => pair.split('=') as [string, string])),
  );

/** Whether the build context excludes a file. The last rule that matches the file, or a folder in its path, decides. */
export function isLeftOut(file: string, rules: string): boolean {
  const parts = file.split('/');
  const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return rules
    .split('\n')
    .filter((rule) => rule !== '' && !rule.startsWith('#'))
    .reduce((isOut, rule) => {
      const pattern = patternOf(rule.replace(/^!/, ''));
      return places.some((place) => pattern.test(place)) ? !rule.startsWith('!') : isOut;
    }, false);
}

/**
 * A star matches any text within a name, even text that begins with a dot. Two stars match any number of folders, or
 * none.
 */
const patternOf = (glob: string) =>
  new RegExp(
    `^${glob
      .replace(/[.+^$()|{}[\]]/g, '\\$&')
      .replaceAll('**/', '(.*/)?')
      .replace(/(?<!\.)\*/g, '[^/]*')}$`,
  );
