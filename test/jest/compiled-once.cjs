// Lets the threads and the child processes of the specs share Node's compile cache. In specs, each thread of a store
// loads TypeScript, and a store has up to four threads. Without the cache, each thread would load Node's TypeScript
// parser, and spend more processor time on the parser than on its work.
const path = require('node:path');

process.env.NODE_COMPILE_CACHE ??= path.join(__dirname, '..', '..', 'node_modules', '.cache', 'compiled');
