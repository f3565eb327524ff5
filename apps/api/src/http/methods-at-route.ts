import type { Request } from 'express';

type Layer = { route?: { methods: Record<string, boolean> }; match: (path: string) => boolean };

/** The HTTP methods that the routes at this request's URL accept. */
export function methodsAt({ app, path }: Request): readonly string[] {
  const { stack } = app.router as unknown as { stack: readonly Layer[] }; // the table of Express's routes
  const methods = stack.filter(({ route }) => route).flatMap((layer) => (matches(layer, path) ? methodsOf(layer) : []));
  // Express also answers HEAD at a route for GET.
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
}

const methodsOf = ({ route }: Layer) => Object.keys(route!.methods).map((method) => method.toUpperCase());

/** Whether a layer of Express's router matches the path. A path that cannot be decoded matches no route. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
