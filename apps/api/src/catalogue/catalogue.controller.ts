import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { printedCatalogue, printedCatalogueSchema } from '@charter/catalogue';
import { refuse } from '@charter/decider';
import { Answers, ok } from '../http/declared-answers';
import { CurrentContext, type RequestContext } from '../http/request-context';
import { STORES } from '../process/parts/stores';

/**
 * Today's plans, add-ons and service levels. These offers belong to no organization, so every signed-in person may read
 * them.
 */
@ApiTags('Catalogue')
@Controller('api/v1/catalogue')
export class CatalogueController {
  constructor(@Inject(STORES) private readonly runtime: Pick<Charter, 'catalogue' | 'settings'>) {}

  @Get()
  @ApiOperation({ summary: 'Everything that is for sale today; operators also get the provider ids' })
  @Answers(['organizations:read'], ok(printedCatalogueSchema))
  list(@CurrentContext() { caller: { actor, signedIn } }: RequestContext) {
    if (!signedIn && !actor.powers.includes('organizations:read'))
      throw new Refused(
        refuse('not-allowed', 'Only a signed-in person, or a key with the scope organizations:read, may do this.'),
      );
    const { catalogue, settings } = this.runtime;
    const isOperator = signedIn !== undefined && actor.powers.includes('operator');
    return printedCatalogue(catalogue, settings.productKey, isOperator ? 'with provider ids' : undefined);
  }
}
