// Reads an OpenAPI document from the standard input, and prints its TypeScript types and the names of its limits.
// `npm run client:types` stores the output.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '@hey-api/openapi-ts';
import { format, resolveConfig } from 'prettier';

const document = JSON.parse(await text(process.stdin));
const folder = await mkdtemp(path.join(tmpdir(), 'client-types-'));
await createClient({
  input: document,
  output: folder,
  plugins: ['@hey-api/typescript'],
  logs: { level: 'silent' },
});
const types = await readFile(path.join(folder, 'types.gen.ts'), 'utf8');
await rm(folder, { recursive: true });

/** The name of the types of an operation, such as `ExportControllerExport` for `ExportController_export`. */
const typeNameOf = ({ operationId }) => operationId.replaceAll(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());

const operations = Object.entries(document.paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) =>
      `'${method.toUpperCase()} ${url}': { data: ${typeNameOf(operation)}Data; answers: ${typeNameOf(operation)}Responses };`,
  ),
);
const table = `\n/** The types of each operation, by its method and path. */\nexport type Operations = {${operations.join('\n')}};\n`;
const names = JSON.stringify(Object.keys(document.components.schemas.Entitlements.properties.limits.properties));
const limits = `\n/** The names of all limits. */\nexport const limitNames: readonly string[] = ${names};\n`;
const options = await resolveConfig(path.join(import.meta.dirname, 'client-types.ts'));
process.stdout.write(await format(types + table + limits, { ...options, parser: 'typescript' }));
