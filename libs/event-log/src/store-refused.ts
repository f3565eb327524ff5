/** A store that must not be used as it stands. The message is one sentence for whoever starts the process. */
export class StoreRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreRefused';
  }
}
