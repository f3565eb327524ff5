// Runs commands of the built command line, one after the other, in one process. The start of a process takes longer
// than most commands. Each command evaluates the built file again, with its own arguments, environment and streams, so
// the commands share no variables. A command has ended when the event loop is empty. A command that leaves a timer or a
// thread therefore never ends, just as in a process of its own.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Readable, Writable } = require('node:stream');
const { constants, Script } = require('node:vm');

const [, , main] = process.argv;
const names = ['exports', 'require', 'module', '__filename', '__dirname'];
const script = new Script(`(function (${names}) {${readFileSync(main, 'utf8')}\n})`, {
  filename: main,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
/** The texts that the running command has written. */
let written = [];

process.on('message', ({ args, environment, folder, input }) => {
  process.channel.unref(); // now only the command keeps the event loop alive
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  process.argv = [process.execPath, main, ...args];
  process.exitCode = undefined;
  written = [];
  replace('stdin', input === undefined ? new Readable({ read: () => undefined }) : Readable.from([Buffer.from(input)]));
  for (const [index, name] of ['stdout', 'stderr'].entries()) replace(name, collectorOf(index));
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(main), module, main, dirname(main));
});

process.on('beforeExit', () => {
  const textOf = (wanted) => Buffer.concat(written.filter(([index]) => index === wanted).map(([, chunk]) => chunk));
  const [stdout, stderr] = [0, 1].map((index) => textOf(index).toString());
  process.channel.ref();
  process.send({ code: process.exitCode ?? 0, signal: null, stdout, stderr });
});

function replace(name, stream) {
  Object.defineProperty(process, name, { configurable: true, value: stream });
}

/** A stream that keeps what the command writes. */
function collectorOf(index) {
  const write = (chunk, _, done) => {
    written.push([index, chunk]);
    done();
  };
  return new Writable({ write });
}
