import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { problemSchema } from './problems/problem-schema';
import { LAG, LAG_EVENTS } from './lag-headers';

/** OpenAPI 3.1, made from the very schemas that check requests, and its reference page (`api.md`). */
export function publishOpenApi(app: INestApplication, release: string, demo = false): void {
  const document = openApi(app, release, demo);
  SwaggerModule.setup('api/docs', app, document, {
    jsonDocumentUrl: 'api/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Charter: the interface',
    customfavIcon: '/favicon.ico',
    swaggerOptions: { persistAuthorization: false, tryItOutEnabled: false, validatorUrl: null },
  });
}

function openApi(app: INestApplication, release: string, demo = false): OpenAPIObject {
  const built = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Charter')
    .setDescription(demo ? `${about} **Demo mode: this store was founded with example organizations.**` : about)
    .setVersion(release)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key: chk_…' })
    .addCookieAuth(
      '__Host-charter',
      { type: 'apiKey', in: 'cookie', description: 'Someone who signed in; writes take the header X-XSRF-TOKEN' },
      'session',
    )
    .build();
  const document = SwaggerModule.createDocument(app, built);
  const schemas = { ...document.components?.schemas, Problem: problemSchema };
  return { ...document, components: { ...document.components, schemas }, paths: withProblems(document.paths) };
}

const about = 'Organizations, their members, sites, plans, add-ons and limits: what they may do, and why.';

/** Every operation may answer with a problem; writes take the headers that make them safe to repeat. */
function withProblems(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  for (const [at, path] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(path) as [string, Operation][]) {
      if (typeof operation !== 'object' || !('responses' in operation)) continue;
      operation.responses['default'] = { ...problemResponse };
      if (at.startsWith('/api/v1/'))
        for (const response of Object.values(operation.responses)) response.headers = { ...response.headers, ...lag };
      if (operation.security && method !== 'get')
        operation.parameters = [...(operation.parameters ?? []), ...writeHeaders];
      if (operation.security && method === 'get') operation.parameters = [...(operation.parameters ?? []), ifNoneMatch];
    }
  }
  return paths;
}
type Operation = {
  responses: Record<string, { headers?: object; description?: string }>;
  parameters?: object[];
  security?: object;
};

const problemResponse = {
  description: 'A problem (RFC 9457)',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};
/** On every answer under `/api/v1`. */
const lag = {
  [LAG]: {
    description:
      'By how many seconds the read model trails: the age of the oldest event that it has not seen, 0 if none',
    schema: { type: 'number', minimum: 0 },
  },
  [LAG_EVENTS]: {
    description: 'By how many events it trails; absent where the event log cannot count them',
    schema: { type: 'integer', minimum: 0 },
  },
};
const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});
const writeHeaders = [
  header('Idempotency-Key', 'The same key and body get the same answer, for ever'),
  header('If-Match', 'The ETag that was seen; 412 if the organization has moved on'),
];
const ifNoneMatch = header('If-None-Match', 'The ETag that is known; 304 if it still holds');
