/** The parts of a view that a view store needs. */
export type ViewShape<State> = ViewName & Readonly<{ initial: () => State }>;

export type ViewName = Readonly<{ name: string; version: number; listedSince?: number }>;
