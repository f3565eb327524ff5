import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export type ScratchCopy = ReturnType<typeof scratchCopy>;

/**
 * A copy of the libs and of the golden histories. A spec may change the code in the copy, and run the changed code
 * without a build.
 */
export function scratchCopy() {
  const root = mkdtempSync(join(tmpdir(), 'charter-scratch-'));
  const copy = (path: string) =>
    cpSync(path, join(root, path), { recursive: true, filter: (file) => !/\.(spec|testing)\.ts$/.test(file) });
  for (const path of ['libs', 'test/history', 'test/support/from-source.mjs', '.prettierrc.json', '.gitattributes'])
    copy(path);
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));

  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  const run = (program: string, args: readonly string[], input = '') =>
    spawnSync(program, args, { cwd: root, encoding: 'utf8', input });
  const node = (args: readonly string[], input?: string) => run(process.execPath, args, input);

  return {
    ...{ read, write, node },
    /**
     * Changes the only source file of a lib that contains this text. @throws unless exactly one file contains the text;
     * then the spec's patch must be updated
     */
    patch: (lib: string, from: string, to: string) => {
      const files = globSync(`libs/${lib}/src/**/*.ts`, { cwd: root }).filter((file) => read(file).includes(from));
      if (files.length !== 1)
        throw new Error(`${files.length} files of ${lib} have: ${from}. Adapt the patch in this spec.`);
      write(files[0]!, read(files[0]!).replace(from, to));
    },
    /** The value of an expression, in which `load` loads a module of this copy, such as `@charter/decider`. */
    valueOf: (expression: string): unknown => {
      const script = `
        import './test/support/from-source.mjs';
        import { createRequire } from 'node:module';
        const load = createRequire(${JSON.stringify(join(root, 'scratch.js'))});
        console.log(JSON.stringify(${expression}));`;
      const { stdout, stderr, status } = node(['--input-type=module', '--eval', script]);
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    git: (...args: string[]) => {
      const who = ['-c', 'user.name=Spec', '-c', 'user.email=spec@example.org'];
      const { status, stdout, stderr } = run('git', [...who, ...args]);
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}
