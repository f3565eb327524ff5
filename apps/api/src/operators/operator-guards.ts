import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { signedInPerson } from '../account/account';
import type { RequestWithContext } from '../http/request-context';
import { operatorIn } from './operators';

/** People only: whoever else asks is told so before anything else about the request is. */
@Injectable()
export class PeopleOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    signedInPerson(context.switchToHttp().getRequest<RequestWithContext>().charter, 'read');
    return true;
  }
}

/** Operators only, and no key. */
@Injectable()
export class OperatorsOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    operatorIn(context.switchToHttp().getRequest<RequestWithContext>().charter);
    return true;
  }
}
