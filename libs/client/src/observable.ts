/** Announces changes to the functions that a program has subscribed. */
export class Observable<Given extends readonly unknown[]> {
  readonly #listeners = new Set<readonly [(...given: Given) => void]>();

  get isObserved(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: (...given: Given) => void): () => void {
    const own = [listener] as const; // a program may subscribe the same function twice
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Calls every listener. An error of a listener becomes an uncaught error of the program, as with `EventTarget`. */
  announce(...given: Given): void {
    for (const [listener] of [...this.#listeners])
      try {
        listener(...given);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
  }
}
