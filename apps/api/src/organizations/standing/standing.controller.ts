import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { keysOf, MemberRole, permissions, readables, readers, words } from '@charter/organization';
import { z } from 'zod';
import { Answers, ok } from '../../http/declared-answers';
import { CurrentCall, type OrganizationCall } from '../../http/request-context';
import { OrganizationStanding, START_CHECKOUT } from './standing.handler';
import { NoQuery } from '../../http/input/validation';

/** The answer of `GET /api/v1/organizations/:id/standing`. */
const StandingAnswer = z
  .strictObject({
    organization: z.guid(),
    roles: z.array(z.string()).meta({ description: 'The roles of a person; empty for an API key' }),
    scopes: z.array(z.string()).exactOptional().meta({ description: 'The scopes of an API key' }),
    may: z.array(z.enum([...keysOf(permissions), START_CHECKOUT])).meta({
      description: 'The commands that the caller may execute now, and whether the caller may start a checkout',
    }),
    reads: z.array(z.enum(readables)),
    grants: z.array(MemberRole).meta({ description: 'The roles that the caller may give to a member' }),
    parked: z.literal(true).exactOptional().meta({
      description:
        'The read model cannot process an event of the organization. So answers about the organization come from its events, and lists can lack its newest events.',
    }),
  })
  .meta({
    id: 'Standing',
    examples: [
      {
        ...{ organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90', roles: ['admin'] },
        ...{ may: ['RenameOrganization', 'AddMember'], reads: ['document', 'names', 'history', 'export'] },
        grants: ['admin', 'member'],
      },
    ],
  });

/**
 * The route for the permissions of the caller. Because of the answer, no client needs to derive permissions from a
 * role.
 */
@ApiTags('Organizations')
@Controller('api/v1/organizations/:id')
export class StandingController {
  constructor(private readonly queries: QueryBus) {}

  @Get('standing')
  @ApiOperation({
    summary: 'The commands that the caller may execute, and the parts that the caller may read',
    description:
      '`may` depends on the permissions of the caller and on the current state: a closed organization accepts few commands. The rules can still refuse a permitted command, for example if a limit is reached.',
  })
  @Answers(readers, ok(StandingAnswer))
  async standing(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: NoQuery }) _query: NoQuery,
    @CurrentCall() { context: { actor } }: OrganizationCall,
  ) {
    const { roles, ...standing } = await this.queries.execute(new OrganizationStanding(id, actor));
    return actor.kind === 'key'
      ? { organization: id, roles: [], scopes: roles, ...standing }
      : { organization: id, roles, ...standing };
  }
}
