import { connect } from 'node:net';
import { browser } from '../support/sign-in/people';
import { type Served, serving } from '../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
});
afterAll(() => served.close());

/** Sends 50 requests at once, and cuts the connection at the first byte of an answer. */
function cut(request: string): Promise<void> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () => socket.write(request.repeat(50)));
  socket.on('data', () => socket.destroy());
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

describe('Q10: A connection with pipelined requests', () => {
  it('that is cut leaves the service able to answer a request on another connection', async () => {
    const page = await browser(served);
    const head = `Host: x\r\nCookie: ${page.cookieHeader()}\r\nX-XSRF-TOKEN: ${page.token()}\r\n`;
    const body = '{"username":"unknown@q10.example","password":"not the password at all"}';
    const request = `POST /login HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (let round = 0; round < 25; round += 1) await cut(request);
    expect((await page.send('POST', '/forgot', { email: 'unknown@q10.example' })).status).toBe(204);
  });
});
