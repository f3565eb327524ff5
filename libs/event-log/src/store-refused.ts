/**
 * The error for a store that Charter must not use in its present state. The message is one sentence for the operator
 * who starts the process.
 */
export class StoreRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreRefused';
  }
}
