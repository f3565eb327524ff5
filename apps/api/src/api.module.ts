import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangesController } from './history/changes.controller';
import { HistoryController } from './history/history.controller';
import { BillingAccountController } from './billing/account.controller';
import { BillingEventsController } from './billing/events.controller';
import { QuarantineController } from './billing/quarantine.controller';
import { WebhookController } from './billing/webhook.controller';
import { DemoMailController } from './mail/demo-mail.controller';
import { MailsController } from './mail/mails.controller';
import { FEDERATION, federationOver } from './federation/federation';
import { GoogleController } from './federation/google.controller';
import { GoogleStrategy } from './federation/google.strategy';
import { SingleSignOnSettingsController } from './federation/single-sign-on.controller';
import { SingleSignOnController } from './federation/sso.controller';
import { CheckpointKeyController } from './history/checkpoint-key.controller';
import { ExportController } from './history/export.controller';
import { LeavingController } from './oneself/leaving.controller';
import { OneselfController } from './oneself/oneself.controller';
import { OperationsController } from './operations.controller';
import { AccountsController } from './operators/accounts.controller';
import { KeysController } from './operators/keys.controller';
import { OrganizationController } from './organization.controller';
import { AskOrganizationHandler, TellOrganizationHandler } from './organization.handlers';
import { OrganizationsController } from './organizations.controller';
import { PagesController } from './pages/pages.controller';
import { Identified } from './request/guard';
import { Once } from './request/once';
import { Problems } from './request/problems.filter';
import { validation } from './request/validation';
import { RUNTIME, type Runtime } from './runtime';
import { SignInController } from './sign-in/sign-in.controller';
import { WhatIfController } from './what-if.controller';

/** THE module: everything that Nest puts together, on one page. */
@Module({})
export class ApiModule {
  static over(runtime: Runtime): DynamicModule {
    return {
      module: ApiModule,
      imports: [CqrsModule.forRoot()],
      controllers: [
        OrganizationsController,
        WhatIfController,
        BillingAccountController,
        OrganizationController,
        ExportController,
        CheckpointKeyController,
        HistoryController,
        ChangesController,
        SingleSignOnSettingsController,
        GoogleController,
        SingleSignOnController,
        WebhookController,
        BillingEventsController,
        QuarantineController,
        OperationsController,
        MailsController,
        DemoMailController,
        SignInController,
        OneselfController,
        LeavingController,
        AccountsController,
        KeysController,
        PagesController,
      ],
      providers: [
        { provide: RUNTIME, useValue: runtime },
        { provide: APP_GUARD, useClass: Identified }, // every route denies by default
        { provide: APP_PIPE, useValue: validation },
        { provide: APP_FILTER, useClass: Problems },
        { provide: FEDERATION, useValue: federationOver(runtime) },
        GoogleStrategy,
        Once,
        TellOrganizationHandler,
        AskOrganizationHandler,
      ],
    };
  }
}
