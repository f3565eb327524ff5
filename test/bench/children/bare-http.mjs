// The floor for reads: node:http alone, which answers every request with the same status, bytes and headers.
import { createServer } from 'node:http';

process.on('message', ({ status, headers, body }) => {
  const server = createServer((_request, response) => response.writeHead(status, headers).end(body));
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.on('disconnect', () => process.exit(0));
