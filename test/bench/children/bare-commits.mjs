// The floor (the program to compare with) for writes: a node:http server that stores one row in SQLite for each
// request (WAL, FULL). Requests that arrive in one tick share a commit.
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

process.on('message', ({ file, rowBytes, answer: { status, headers, body } }) => {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (content BLOB)');
  const insert = db.prepare('INSERT INTO rows (content) VALUES (?)');
  const row = Buffer.alloc(rowBytes, 'x');
  let waiting = [];

  const flush = () => {
    const answered = waiting;
    waiting = [];
    db.exec('BEGIN IMMEDIATE');
    for (let count = answered.length; count > 0; count -= 1) insert.run(row);
    db.exec('COMMIT');
    for (const response of answered) response.writeHead(status, headers).end(body);
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (waiting.push(response) === 1) setImmediate(flush);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.on('disconnect', () => process.exit(0));
