/** What a store must know of a view. */
export type ViewShape<State> = ViewName & Readonly<{ initial: () => State }>;

export type ViewName = Readonly<{ name: string; version: number; listedSince?: number }>;
