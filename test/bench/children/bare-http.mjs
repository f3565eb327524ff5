// The floor (the program to compare with) for reads: a node:http server that sends the same answer to every request,
// after it has received the body of the request.
import { createServer } from 'node:http';

process.on('message', ({ status, headers, body }) => {
  const server = createServer((request, response) => {
    const answer = () => response.writeHead(status, headers).end(body);
    if (request.method === 'GET') answer();
    else request.resume().once('end', answer);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
process.on('disconnect', () => process.exit(0));
