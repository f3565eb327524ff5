// Usage: node broken-tables.mjs FILE. Opens a documents file as a server, makes some commits and a checkpoint, and
// closes the file. Prints whether the disk failed.
import { createRequire } from 'node:module';
import '../../support/from-source.mjs';

const { openDatabase } = createRequire(import.meta.url)('../../../libs/database/src/index.ts');

const database = await openDatabase({ file: process.argv[2], serving: true });
const commit = (name) => database.lease(name).hold();
for (const name of ['first', 'second', 'third']) await commit(name).catch(() => undefined);
await database.purgeErased(); // makes a checkpoint
const failed = database.lost() !== undefined;
await database.close();
process.stdout.write(JSON.stringify({ failed }));
