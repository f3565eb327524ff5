/** Which documents belong together. */
export type EditionKey = Readonly<{ view: string; edition: number }>;
