/** Receives the names of the features and limits that have changed. */
export type ChangeListener = (keys: readonly string[]) => void;

/** The functions that a program has subscribed. */
export class Listeners<Given extends readonly unknown[]> {
  readonly #all = new Set<(...given: Given) => void>();

  get size(): number {
    return this.#all.size;
  }

  subscribe(listener: (...given: Given) => void): () => void {
    const own: typeof listener = (...given) => listener(...given); // a program may subscribe the same function twice
    this.#all.add(own);
    return () => void this.#all.delete(own);
  }

  /** Calls every listener. An error of a listener becomes an uncaught error of the program, as with `EventTarget`. */
  notify(...given: Given): void {
    for (const listener of [...this.#all])
      try {
        listener(...given);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
  }
}
