import type { Request } from 'express';

type Layer = { route?: { methods: Record<string, boolean> }; match: (path: string) => boolean };

/** The methods that routes accept at the address of this request. */
export function methodsAt({ app, path }: Request): readonly string[] {
  const { stack } = app.router as unknown as { stack: readonly Layer[] }; // Express's table of routes
  const methods = stack.filter(({ route }) => route).flatMap((layer) => (matches(layer, path) ? methodsOf(layer) : []));
  // Express answers HEAD on routes for GET.
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
}

const methodsOf = ({ route }: Layer) => Object.keys(route!.methods).map((method) => method.toUpperCase());

/** A path that cannot be decoded matches no route. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
