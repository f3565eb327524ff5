import { randomUUID } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { RUNTIME, type Runtime } from '../../process/runtime';
import { idempotencyKeyOf, type RequestWithContext } from '../request-context';

const OPEN = 'open to everyone';
/** Marks a route that answers without authentication. Every other route denies by default. */
export const Public = () => SetMetadata(OPEN, true);

/** Authenticates the caller once for each request. The domain decides what the caller may do. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(RUNTIME) private readonly runtime: Runtime,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean | undefined>(OPEN, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<RequestWithContext>();
    const caller = await this.runtime.callers.identify(request);
    const at = new Date(this.runtime.now()).toISOString();
    request.charter = {
      id: requestIdOf(request),
      caller,
      at,
      key: idempotencyKeyOf(request.headers['idempotency-key']),
    };
    return true;
  }
}

/** Our own id, never the caller's text: the log, the answer and the events carry it. */
export function requestIdOf(request: object): string {
  const id = ids.get(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}
const ids = new WeakMap<object, string>();
