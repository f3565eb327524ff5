import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { openApi, type Published } from '../http/openapi';
import { sessionCookieName } from '../http/input/cookies';
import { PAGE_SETTINGS, type PageSettings } from '../process/parts/page-settings';
import type { ApiDocument } from './document';
import { filesOf } from './frame';
import { referencePage } from './reference-page';

const compressed = promisify(gzip);

/**
 * Publishes the OpenAPI 3.1 document, `/api/openapi.json`, and the page that shows it, `/api/docs`. The process
 * generates both at the first request for one of them, and then keeps them in memory. Before the server listens, the
 * public address may still have the port 0.
 */
export function publishOpenApi(app: INestApplication, settings: Omit<Published, 'demo'>, demo: boolean): void {
  const document = once(() => openApi(app, { ...settings, demo }));
  const json = once(() => keptText(JSON.stringify(document())));
  const page = once(() =>
    keptText(
      referencePage(document() as unknown as ApiDocument, {
        url: settings.publicUrl,
        cookie: sessionCookieName(settings),
        ...filesOf(app.get<PageSettings>(PAGE_SETTINGS)),
      }),
    ),
  );
  const adapter = app.getHttpAdapter();
  adapter.get('/api/openapi.json', (request: Request, response: Response) => send(json(), 'json', request, response));
  adapter.get('/api/docs', (request: Request, response: Response) => send(page(), 'html', request, response));
}

type KeptText = Readonly<{ plain: string; gz: () => Promise<Buffer> }>;
const keptText = (plain: string): KeptText => ({ plain, gz: once(() => compressed(plain)) });

async function send({ plain, gz }: KeptText, type: string, request: Request, response: Response): Promise<void> {
  response.type(type).set('Vary', 'Accept-Encoding');
  if (request.acceptsEncodings('gzip') === 'gzip') response.set('Content-Encoding', 'gzip').send(await gz());
  else response.send(plain);
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
