import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { readers, words } from '@charter/organization';
import { Answers, ok } from '../../http/declared-answers';
import { CurrentCall, type OrganizationCall } from '../../http/request-context';
import { MemberPage } from '../organization.answers';
import type { QueryTime } from '../organization-reader';
import { WhenQuery } from '../organization.requests';
import { ListMembers } from './list-members.handler';
import { MembersQuery, MembersSearch } from './members.requests';

/** The members of an organization, with names. */
@ApiTags('Organizations')
@Controller('api/v1/organizations/:id/members')
export class MembersController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ApiOperation({
    summary: 'The members with their names and e-mail addresses',
    description:
      '`role` and `state` are filters; `sort` is `name`, `role` or `-since` (the newest first). `inAll` counts the members that match.',
  })
  @Answers(readers, ok(MemberPage))
  members(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: MembersQuery }) { asOf, valid, atLeast, ...wanted }: MembersQuery,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.queries.execute(new ListMembers(id, wanted, { asOf, valid, atLeast }, call));
  }

  @Post('search')
  @HttpCode(200)
  @ApiOperation({
    summary: 'The members whose name, username or e-mail address contains a text',
    description:
      'Finds only names and addresses that the list of members shows, and complete ids. The text is in the body, because a URL with the text could appear in logs. The request changes nothing.',
  })
  @Answers(readers, ok(MemberPage))
  search(
    @Param('id', { schema: words.Id }) id: string,
    @Query({ schema: WhenQuery }) when: QueryTime,
    @Body({ schema: MembersSearch }) wanted: MembersSearch,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.queries.execute(new ListMembers(id, wanted, when, call));
  }
}
