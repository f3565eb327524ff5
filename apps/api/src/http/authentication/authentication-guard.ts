import { momentAt } from '@charter/decider';
import { type CanActivate, type ExecutionContext, Inject, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { requestIdOf } from '../request-id';
import { idempotencyKeyOf, type RequestWithContext } from '../request-context';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';

const OPEN = 'open to everyone';
/** Marks a route that needs no authentication. Every other route refuses a request without authentication. */
export const Public = () => SetMetadata(OPEN, true);

/** Authenticates the caller once for each request. The domain decides what the caller may do. */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  private readonly runtime: Clock & Pick<Authentication, 'callers'>;

  constructor(
    private readonly reflector: Reflector,
    @Inject(CLOCK) clock: Clock,
    @Inject(AUTHENTICATION) authentication: Authentication,
  ) {
    this.runtime = { ...clock, ...authentication };
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean | undefined>(OPEN, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<RequestWithContext>();
    const caller = await this.runtime.callers.identify(request);
    const at = momentAt(this.runtime.now());
    request.charter = {
      id: requestIdOf(request),
      caller,
      at,
      key: idempotencyKeyOf(request.headers['idempotency-key']),
    };
    return true;
  }
}
