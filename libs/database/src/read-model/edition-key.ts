/** Identifies one edition of a view, and the documents that belong to the edition. */
export type EditionKey = Readonly<{ view: string; edition: number }>;
