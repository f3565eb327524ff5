import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type KeyRecord, newKey, scopes } from '@charter/identity';
import { organizationStream, words } from '@charter/organization';
import { secureRandom, type Charter } from '@charter/application';
import { z } from 'zod';
import { Answers, created, noContent, ok } from '../http/declared-answers';
import { KeyPage, NewKeyAnswer } from './key.answers';
import { auditContextOf, logOperation } from '../account/account';
import { OperatorsOnly } from './operator-guards';
import { clientAddressOf } from '../http/input/client-address';
import { CurrentContext, type RequestContext, type RequestWithContext } from '../http/request-context';
import { unauthenticated } from '../http/authentication/caller';
import { malformedRequest, ProblemError } from '../http/problems/problem';
import { operatorWithPassword } from './operators';
import { PageLimit } from '../http/input/paging';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type Background, BACKGROUND } from '../process/parts/background';

const NewKey = z.strictObject({
  name: words.Name,
  scopes: z.array(z.enum(scopes)).min(1),
  organization: words.Id.optional(),
  expires: words.When.optional(),
  password: z.string(),
});

const KeysQuery = z.strictObject({
  cursor: words.Id.optional(),
  limit: PageLimit,
});

/** The routes by which operators create, list and revoke API keys (`acceptance.md` J1, J7, J8). */
@ApiTags('Operations')
@UseGuards(OperatorsOnly)
@Controller('api/v1/keys')
export class KeysController {
  private readonly runtime: Pick<Charter, 'settings' | 'database' | 'organizations' | 'trail' | 'passwords'> &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Background, 'deferred'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...observability, ...background };
  }

  @Get()
  @ApiOperation({ summary: 'List API keys, including revoked ones, without their secrets' })
  @Answers('operators', ok(KeyPage))
  async list(@Query({ schema: KeysQuery }) { cursor, limit }: z.infer<typeof KeysQuery>) {
    const { keys } = this.runtime.database;
    const [after] = cursor === undefined ? [] : await keys.byIds([cursor]);
    // Charter never deletes the row of an API key, so only an invented cursor finds no row.
    if (cursor !== undefined && !after)
      throw malformedRequest([{ path: 'cursor', message: 'must be the cursor of an earlier answer' }]);
    const found = await keys.list({ after, limit: limit + 1 });
    const page = found.slice(0, limit);
    return { keys: page.map(printed), next: found.length > limit ? page.at(-1)!.id : null };
  }

  @Post()
  @ApiOperation({ summary: 'Create an API key; its secret is shown only once. Requires the password again' })
  @Answers('operators', created(NewKeyAnswer), [404])
  async make(
    @Body({ schema: NewKey }) { password, name, organization, expires, scopes: granted }: z.infer<typeof NewKey>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    if (context.key !== undefined)
      throw malformedRequest([
        {
          path: 'Idempotency-Key',
          message: 'is not supported: Charter shows the secret of a key once and does not store it',
        },
      ]);
    const { id: madeBy } = await operatorWithPassword(this.runtime, request, password);
    if (expires !== undefined && Date.parse(expires) <= this.runtime.now())
      throw malformedRequest([{ path: 'expires', message: 'must be in the future' }]);
    if (organization !== undefined && !(await this.exists(organization)))
      throw new ProblemError(404, 'no-such-organization', 'There is no organization with this id.');
    const newKeyRequest = {
      name,
      scopes: granted,
      madeBy,
      ...(organization && { organization }),
      ...(expires && { expires }),
    };
    const { key, record } = newKey(newKeyRequest, secureRandom, this.runtime.now());
    const data = { scopes: record.scopes, ...(organization && { organization }) };
    await this.runtime.trail.record({ key: record.id }, { type: 'KeyCreated', data }, auditContextOf(context));
    if (!(await this.runtime.database.keys.insert(record)))
      throw unauthenticated('The account is not active any more.');
    this.note(context, request, 'key-created', record.id);
    return { ...printed(record), key };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke an API key, immediately and permanently' })
  @Answers('operators', noContent())
  async revoke(
    @Param('id', { schema: words.Id }) id: string,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const { keys } = this.runtime.database;
    const [record] = await keys.byIds([id]);
    if (!record) throw new ProblemError(404, 'no-such-key', 'There is no key with this id.');
    if (record.revoked !== undefined) return;
    await this.runtime.trail.record({ key: id }, { type: 'KeyRevoked', data: {} }, auditContextOf(context));
    await keys.revoke(id, this.runtime.now());
    this.note(context, request, 'key-revoked', id);
  }

  private exists(organization: string) {
    return this.runtime.organizations.query(organizationStream(organization), ({ state }) => state.name !== '');
  }

  private note(context: RequestContext, request: RequestWithContext, result: string, key: string) {
    logOperation(this.runtime, context, clientAddressOf(request, this.runtime.settings), result, { key });
  }
}

/** The API key in an answer, without its hash. */
const printed = ({ id, prefix, name, scopes: granted, organization, madeBy, created, ...rest }: KeyRecord) => ({
  id,
  prefix,
  name,
  scopes: granted,
  organization: organization ?? null,
  madeBy: madeBy ?? null,
  created,
  expires: rest.expires ?? null,
  revoked: rest.revoked ?? null,
  used: rest.used ?? null,
});
