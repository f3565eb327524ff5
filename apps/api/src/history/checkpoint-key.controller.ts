import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Answers, text } from '../http/declared-answers';
import { VerifierKey } from './history.answers';
import { Public } from '../http/authentication/authentication-guard';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';

/**
 * The public key with which signed checkpoints are verified. An auditor fetches this key before verifying an export.
 */
@ApiTags('History')
@Controller('.well-known')
export class CheckpointKeyController {
  constructor(@Inject(STORES) private readonly runtime: Pick<Charter, 'signer'>) {}

  @Public()
  @Get('charter-checkpoint-key')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @ApiOperation({ summary: 'The public key of signed checkpoints, as a verifier key of C2SP signed-note' })
  @Answers('everyone', text(VerifierKey))
  key(): string {
    return `${this.runtime.signer.verifierKey}\n`;
  }
}
