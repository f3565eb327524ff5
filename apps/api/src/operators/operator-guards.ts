import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { signedInPerson } from '../account/account';
import type { RequestWithContext } from '../http/request-context';
import { operatorIn } from './operators';

/** Refuses callers with an API key before the route validates the rest of the request. */
@Injectable()
export class PeopleOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    signedInPerson(context.switchToHttp().getRequest<RequestWithContext>().charter, 'read');
    return true;
  }
}

/** Refuses all callers except people with the role of an operator. */
@Injectable()
export class OperatorsOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    operatorIn(context.switchToHttp().getRequest<RequestWithContext>().charter);
    return true;
  }
}
