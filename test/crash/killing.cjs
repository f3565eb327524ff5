// Loaded into a server before anything else, it kills the process at an exact point of its work on the tables: when the
// nth statement that matches is about to be sent (or was answered). KILL_AT is the pattern, KILL_NTH which one, KILL_WHEN
// `before` or `after`. Nothing is flushed and nobody is told.
const { DatabaseSync } = require('node:sqlite');
const { Client } = require('pg');

const pattern = new RegExp(process.env.KILL_AT, 'i');
const when = process.env.KILL_WHEN ?? 'before';
let left = Number(process.env.KILL_NTH ?? 1);

/** Whether this is the one. */
const isIt = (sql) => pattern.test(sql) && (left -= 1) === 0;
const die = () => process.kill(process.pid, 'SIGKILL');
const around = (sql, work) => {
  const it = isIt(sql);
  if (it && when === 'before') die();
  const result = work();
  if (it && when === 'after') typeof result?.then === 'function' ? result.then(die, die) : die();
  return result;
};

const { query } = Client.prototype;
Client.prototype.query = function (config, ...rest) {
  const sql = typeof config === 'string' ? config : (config?.text ?? '');
  return around(sql, () => query.call(this, config, ...rest));
};

const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  return around(sql, () => exec.call(this, sql));
};
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  for (const name of ['run', 'all', 'get', 'iterate']) {
    const run = statement[name];
    statement[name] = (...given) => around(sql, () => run.apply(statement, given));
  }
  return statement;
};
