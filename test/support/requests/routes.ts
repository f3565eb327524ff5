import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { ApiModule } from '../../../apps/api/src/api.module';
import { publishOpenApi } from '../../../apps/api/src/reference/publish';
import type { Runtime } from '../../../apps/api/src/process/runtime';

export type Route = `${string} /${string}`;
type Layer = Readonly<{ route?: Readonly<{ path: string; methods: Readonly<Record<string, boolean>> }> }>;

/** Every route of the router, such as `GET /health/live`. The tables of routes in specs must contain each of them. */
export async function routesOf(runtime: Runtime): Promise<readonly Route[]> {
  const handler = express();
  const adapter = new ExpressAdapter(handler);
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.over(runtime), adapter, onlyFatal);
  publishOpenApi(app, runtime.settings, false);
  await app.init();
  const { stack } = handler.router as unknown as { stack: readonly Layer[] }; // Express keeps its routes in this list
  const routes = stack.flatMap(({ route }) =>
    route
      ? Object.keys(route.methods).map((method): Route => `${method.toUpperCase()} ${route.path as `/${string}`}`)
      : [],
  );
  await app.close();
  return [...new Set(routes)].sort();
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest takes plain options
const onlyFatal: NestApplicationOptions = { logger: ['fatal'] }; // `false` would silence Nest in later specs too
