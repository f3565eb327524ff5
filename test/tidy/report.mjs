// Prints each place that breaks a rule of test/tidy.spec.ts:
//   npm run tidy [crowded|doubled|wide|old|vague] [path prefix]
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (name, context, next) => next(/^\.\/\w+$/.test(name) ? `${name}.ts` : name, context),
  load: (url, context, next) => next(url, url.endsWith('.ts') ? { ...context, format: 'module-typescript' } : context),
});

const { projectFiles } = await import('./files');
const { crowdedFolders, doubledNames, oldNames, vagueSentences, wideComments } = await import('./rules');
const rules = {
  crowded: crowdedFolders,
  doubled: doubledNames,
  wide: wideComments,
  old: oldNames,
  vague: vagueSentences,
};

const args = process.argv.slice(2);
const only = args.find((arg) => Object.hasOwn(rules, arg));
const prefix = args.find((arg) => arg !== only) ?? '';
const files = projectFiles(process.cwd());
for (const [name, rule] of Object.entries(rules)) {
  if (only !== undefined && only !== name) continue;
  const found = rule(files).filter(({ path }) => path.startsWith(prefix));
  for (const { path, line, what } of found) console.log(`${path}${line > 0 ? `:${line}` : ''}  ${what}`);
  console.log(`== ${name}: ${found.length}`);
}
