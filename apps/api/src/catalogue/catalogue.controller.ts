import { Body, Controller, Get, HttpCode, Inject, Post, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { printedCatalogue, printedCatalogueSchema } from '@charter/catalogue';
import { refuse } from '@charter/decider';
import type { Response } from 'express';
import type { z } from 'zod';
import { Answers, ok } from '../http/declared-answers';
import { CurrentContext, type RequestContext } from '../http/request-context';
import { OperatorsOnly } from '../operators/operator-guards';
import { type Gates, GATES } from '../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { STORES } from '../process/parts/stores';
import { createTurns } from '../process/work/turns';
import { CatalogueCheckAnswer, CatalogueText, HeldTermsAnswer } from './catalogue.answers';
import { checkedText } from './checked-text';
import { heldTerms } from './held-terms';

/**
 * The plans, add-ons and service levels that Charter offers today. The offers belong to no organization, so every
 * signed-in person may read the offers. Operators can also check the text of another catalogue file, and see how many
 * organizations hold each plan.
 */
@ApiTags('Catalogue')
@Controller('api/v1/catalogue')
export class CatalogueController {
  private readonly runtime: Pick<Charter, 'catalogue' | 'settings' | 'view'> &
    Pick<Gates, 'gate'> &
    Pick<OrganizationAccess, 'reading'>;
  private readonly turn = createTurns();

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(GATES) gates: Gates,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...gates, ...access };
  }

  @Get()
  @ApiOperation({ summary: 'Everything that is for sale today; operators also get the provider ids' })
  @Answers(['organizations:read'], ok(printedCatalogueSchema))
  list(@CurrentContext() { caller: { actor, signedIn } }: RequestContext) {
    if (!signedIn && !actor.powers.includes('organizations:read'))
      throw new Refused(
        refuse('not-allowed', 'Only a signed-in person, or a key with the scope organizations:read, may do this.', {
          takes: ['organizations:read'],
        }),
      );
    const { catalogue, settings } = this.runtime;
    const isOperator = signedIn !== undefined && actor.powers.includes('operator');
    return printedCatalogue(catalogue, settings.productKey, isOperator ? 'with provider ids' : undefined);
  }

  @Post('check')
  @HttpCode(200)
  @UseGuards(OperatorsOnly)
  @ApiOperation({
    summary: "The problems in the text of a catalogue's file, each with its line and column; nothing is stored",
    description: 'A server with these settings checks the file in the same way when it starts.',
  })
  @Answers('operators', ok(CatalogueCheckAnswer))
  async check(@Body({ schema: CatalogueText }) { text }: z.infer<typeof CatalogueText>) {
    await this.turn();
    return checkedText(text, this.runtime.settings.planProviderIds);
  }

  @Get('terms')
  @UseGuards(OperatorsOnly)
  @ApiOperation({
    summary: 'How many organizations hold each plan, and on which terms',
    description:
      'The numbers come from the read model, so they may lack the newest events. The answer contains the terms of at most 100 versions, the versions with the most holders first; `more` counts the others.',
  })
  @Answers('operators', ok(HeldTermsAnswer))
  terms(@CurrentContext() { caller: { actor } }: RequestContext, @Res({ passthrough: true }) response: Response) {
    this.runtime.reading.mustBeTrusted();
    return this.runtime.gate({ actor, response }, (gone) => heldTerms(this.runtime, gone));
  }
}
