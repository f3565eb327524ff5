/** The parts of an OpenAPI 3.1 document that the reference page shows. */
export type ApiDocument = Readonly<{
  info: Readonly<{ title: string; version: string; description?: string }>;
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: Readonly<{
    schemas: Schemas;
    headers: Readonly<Record<string, Readonly<{ description: string }>>>;
    securitySchemes: Readonly<Record<string, Readonly<{ description: string }>>>;
  }>;
}>;

export type ApiOperation = Readonly<{
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security?: readonly Readonly<Record<string, readonly string[]>>[];
  parameters?: readonly ApiParameter[];
  requestBody?: Readonly<{ content: Readonly<Record<string, Media>> }>;
  responses: Readonly<Record<string, ApiResponse>>;
}>;
type ApiParameter = Readonly<{
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}>;
export type ApiResponse = Readonly<{
  description: string;
  headers?: Readonly<Record<string, unknown>>;
  content?: Readonly<Record<string, Media>>;
}>;
export type Media = Readonly<{ schema?: JsonSchema; example?: unknown }>;

/** A JSON Schema, as the OpenAPI document contains it. */
export type JsonSchema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  pattern?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  contentSchema?: JsonSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}>;
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The name of the component to which a schema refers. */
export const componentOf = ({ $ref }: JsonSchema): string | undefined => $ref?.split('/').at(-1);

/** An operation with its place. `method` is in capital letters. */
export type PlacedOperation = Readonly<{ method: string; path: string; operation: ApiOperation }>;

/** All operations by their group, in the order of the document. */
export function groupsOf({ paths }: ApiDocument): ReadonlyMap<string, readonly PlacedOperation[]> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? 'Other');
}

export const isProblem = (status: string): boolean => status === 'default' || Number(status) >= 400;
