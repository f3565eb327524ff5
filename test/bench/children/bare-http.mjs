// The floor (the program to compare with) for reads: a node:http server that sends the same answer to every request.
import { createServer } from 'node:http';

process.on('message', ({ status, headers, body }) => {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.on('disconnect', () => process.exit(0));
