import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { personIn } from '../account/account';
import type { KnownRequest } from '../http/request-context';
import { operatorIn } from './operators';

/** People only: whoever else asks is told so before anything else about the request is. */
@Injectable()
export class PeopleOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    personIn(context.switchToHttp().getRequest<KnownRequest>().charter, 'read');
    return true;
  }
}

/** Operators only, and no key. */
@Injectable()
export class OperatorsOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    operatorIn(context.switchToHttp().getRequest<KnownRequest>().charter);
    return true;
  }
}
