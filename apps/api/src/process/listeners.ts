import type { RequestListener } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { isLoopback, type Settings } from '@charter/settings';
import { ApiModule } from '../api.module';
import { requireDecodablePath } from '../sign-in/federation/sign-in-failure';
import { countEvaluations } from '../flags/count-evaluations';
import { publishOpenApi } from '../reference/publish';
import { jsonBodies } from '../http/input/body';
import { hasLoopbackHost } from '../http/input/local-request';
import { xsrfGuard } from '../http/authentication/xsrf-guard';
import { headersOfAnswers, securityHeaders } from '../http/headers';
import { lagHeaderMiddleware } from '../http/lag-headers';
import type { Runtime } from './runtime';
import type { Observability } from './parts/observability';

/** Creates the Nest application on Express, with Charter's code for bodies and headers. */
export async function createNestApplication(runtime: Runtime) {
  const handler = express();
  handler.set('etag', false); // Charter computes the ETag from the revision
  // Only Charter's code answers 304. Express would answer 304 to `If-None-Match: *` also for answers without an ETag.
  Object.defineProperty(handler.request, 'fresh', { value: false });
  handler.set('x-powered-by', false);
  handler.set('query parser', 'simple');
  handler.use(securityHeaders(runtime.settings));
  handler.use(measured(runtime));
  handler.use('/ofrep/v1/evaluate/flags', countEvaluations(runtime));
  handler.use('/api/v1', lagHeaderMiddleware(runtime.projection));
  handler.use(xsrfGuard(runtime));
  handler.use('/auth', requireDecodablePath);
  handler.use(jsonBodies);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest takes plain options
  const options: NestApplicationOptions = { bodyParser: false, logger: ['error', 'warn'] };
  const app = await NestFactory.create(ApiModule.over(runtime), new ExpressAdapter(handler), options);
  publishOpenApi(app, runtime.settings, runtime.demo);
  await app.init();
  return { listener: handler as RequestListener, close: () => app.close() };
}

const measured =
  ({ counts }: Pick<Observability, 'counts'>): express.RequestHandler =>
  (request, response, next) => {
    const began = performance.now();
    response.on('finish', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      const method = request.method === 'HEAD' ? 'GET' : request.method; // the route for GET answers HEAD
      counts.answered(
        typeof route === 'string' ? `${method} ${route}` : 'other',
        response.statusCode,
        (performance.now() - began) / 1000,
      );
    });
    next();
  };

/**
 * On a separate port, answers every request with the metrics. If the port is open only on loopback, the process accepts
 * only loopback host names in the `Host` header. A request with a host name that is not loopback may come from a page
 * of another site (DNS rebinding).
 */
export function metricsListener(
  { counts, logger }: Pick<Observability, 'logger' | 'counts'>,
  settings: Pick<Settings, 'host' | 'publicUrl'>,
): RequestListener {
  const headers = new Map(Object.entries(headersOfAnswers(settings)));
  return (request, response) => {
    response.setHeaders(headers);
    if (isLoopback(settings.host) && !hasLoopbackHost(request)) {
      response.writeHead(404).end();
      return;
    }
    void counts.registry.metrics().then(
      (text) => response.setHeader('Content-Type', counts.registry.contentType).end(text),
      (error: unknown) => {
        logger.warn({ why: String(error) }, 'metrics could not be collected');
        response.writeHead(503, { 'Retry-After': '1' }).end();
      },
    );
  };
}
