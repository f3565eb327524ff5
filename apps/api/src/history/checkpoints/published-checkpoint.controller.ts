import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Charter, openOwnCheckpoint } from '@charter/application';
import { Public } from '../../http/authentication/authentication-guard';
import { Answers, text } from '../../http/declared-answers';
import { ProblemError } from '../../http/problems/problem';
import { STORES } from '../../process/parts/stores';
import { SignedNote, VerifierKey } from '../history.answers';
import { refuseToSign } from './refuse-to-sign';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

/**
 * The last signed checkpoint, and the public key with which checkpoints are verified. An auditor stores the checkpoint
 * and the key in a place that no person with access to the stores can change.
 */
@ApiTags('History')
@Controller('.well-known')
export class PublishedCheckpointController {
  constructor(@Inject(STORES) private readonly runtime: Pick<Charter, 'database' | 'signer'>) {}

  @Public()
  @Get('charter-checkpoint-key')
  @Header('Content-Type', PLAIN_TEXT)
  @ApiOperation({ summary: 'The public key of signed checkpoints, as a verifier key of C2SP signed-note' })
  @Answers('everyone', text(VerifierKey))
  key(): string {
    return `${this.runtime.signer.verifierKey}\n`;
  }

  @Public()
  @Get('charter-checkpoint')
  @Header('Content-Type', PLAIN_TEXT)
  @ApiOperation({
    summary: 'The last signed checkpoint over all streams, as a C2SP signed-note',
    description: 'The checkpoint names no organization. Before the first checkpoint the answer is 404.',
  })
  @Answers('everyone', text(SignedNote), [404, 500])
  async last(): Promise<string> {
    const { database, signer } = this.runtime;
    const note = await database.signedHeads.note();
    if (note === undefined) throw new ProblemError(404, 'not-found', 'No checkpoint was signed yet.');
    try {
      openOwnCheckpoint(signer, note);
    } catch (error) {
      refuseToSign(error);
    }
    return note;
  }
}
