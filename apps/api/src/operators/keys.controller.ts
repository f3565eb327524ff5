import { randomBytes, randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type KeyRecord, newKey, scopes } from '@charter/identity';
import { organizationStream, words } from '@charter/organization';
import type { Response } from 'express';
import { z } from 'zod';
import { byOf, noteDone } from '../oneself/oneself';
import { OperatorsOnly } from './guards';
import { addressOf } from '../request/address';
import { Asking, type Known, type KnownRequest } from '../request/envelope';
import { malformed, Stop } from '../request/problem';
import { RUNTIME, type Runtime } from '../runtime';
import { operatorIn, provenOperator } from './operators';

const NewKey = z.strictObject({
  name: words.Name,
  scopes: z.array(z.enum(scopes)).min(1),
  organization: words.Id.optional(),
  expires: words.When.optional(),
  password: z.string(),
});

/** Making, listing and revoking API keys, for operators (`acceptance.md` J1, J7, J8). */
@ApiTags('Operations')
@ApiCookieAuth('session')
@UseGuards(OperatorsOnly)
@Controller('api/v1/keys')
export class KeysController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Get()
  @ApiOperation({ summary: 'List API keys, revoked ones too; never the keys themselves' })
  async list(@Asking() known: Known) {
    operatorIn(known);
    const keys = await this.runtime.documents.keys.list();
    return { keys: keys.map(printed), next: null };
  }

  @Post()
  @ApiOperation({ summary: 'Make an API key; it is shown this once, and needs the password again' })
  async make(
    @Body({ schema: NewKey }) { password, name, organization, expires, scopes: granted }: z.infer<typeof NewKey>,
    @Asking() known: Known,
    @Req() request: KnownRequest,
    @Res({ passthrough: true }) response: Response,
  ) {
    await provenOperator(this.runtime, request, password);
    if (expires !== undefined && Date.parse(expires) <= this.runtime.now())
      throw malformed([{ path: 'expires', message: 'must be in the future' }]);
    if (organization !== undefined && !(await this.exists(organization)))
      throw new Stop(404, 'no-such-organization', 'There is no organization of this id.');
    const wish = { name, scopes: granted, ...(organization && { organization }), ...(expires && { expires }) };
    const { key, record } = newKey(wish, { bytes: randomBytes, uuid: randomUUID }, this.runtime.now());
    const data = { scopes: record.scopes, ...(organization && { organization }) };
    await this.runtime.trail.record({ key: record.id }, { type: 'KeyCreated', data }, byOf(known));
    await this.runtime.documents.keys.insert(record);
    this.note(known, request, 'key-created', record.id);
    response.location(`/api/v1/keys/${record.id}`);
    return { ...printed(record), key };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke an API key, at once and for good' })
  async revoke(@Param('id', { schema: words.Id }) id: string, @Asking() known: Known, @Req() request: KnownRequest) {
    operatorIn(known);
    const { keys } = this.runtime.documents;
    const record = (await keys.list()).find((one) => one.id === id);
    if (!record) throw new Stop(404, 'no-such-key', 'There is no key of this id.');
    if (record.revoked !== undefined) return;
    await this.runtime.trail.record({ key: id }, { type: 'KeyRevoked', data: {} }, byOf(known));
    await keys.revoke(id, this.runtime.now());
    this.note(known, request, 'key-revoked', id);
  }

  private exists(organization: string) {
    return this.runtime.organizations.look(organizationStream(organization), ({ state }) => state.name !== '');
  }

  private note(known: Known, request: KnownRequest, result: string, key: string) {
    noteDone(this.runtime, known, addressOf(request, this.runtime.settings), result, { key });
  }
}

/** Everything but the hash. */
const printed = ({ id, prefix, name, scopes: granted, organization, created, expires, revoked, used }: KeyRecord) => ({
  id,
  prefix,
  name,
  scopes: granted,
  organization: organization ?? null,
  created,
  expires: expires ?? null,
  revoked: revoked ?? null,
  used: used ?? null,
});
