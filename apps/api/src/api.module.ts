import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { CatalogueController } from './catalogue/catalogue.controller';
import { ChangesController } from './history/feed/changes.controller';
import { HistoryController } from './history/history.controller';
import { BillingAccountController } from './billing/account.controller';
import { BillingEventsController } from './billing/events.controller';
import { CheckoutController } from './billing/checkout/checkout.controller';
import { ReadCheckoutHandler, StartCheckoutHandler } from './billing/checkout/checkout.handlers';
import { QuarantineController } from './billing/quarantine.controller';
import { WebhookController } from './billing/webhook.controller';
import { GoogleStandInController } from './demo/google/google-stand-in.controller';
import { DemoMailController } from './mail/demo-mail.controller';
import { MailsController } from './mail/mails.controller';
import { FEDERATION, createFederation } from './sign-in/federation/federation';
import { EntitlementChangesController } from './flags/changes/entitlement-changes.controller';
import { EvaluateFlagsHandler } from './flags/evaluate-flags.handler';
import { FlagStreamsController } from './flags/streams/flag-streams.controller';
import { FlagsController } from './flags/flags.controller';
import { GoogleController } from './sign-in/google/google.controller';
import { GoogleStrategy } from './sign-in/google/google.strategy';
import { SingleSignOnSettingsController } from './sign-in/sso-settings/sso-settings.controller';
import { SingleSignOnController } from './sign-in/sso/sso-flow.controller';
import { VerifiedDomainsController } from './sign-in/domains/domains.controller';
import {
  ChangeDomainHandler,
  CheckDomainHandler,
  ClaimDomainHandler,
  ListDomainsHandler,
  ReleaseDomainHandler,
} from './sign-in/domains/domains.handlers';
import { OrganizationCheckpointController } from './history/checkpoints/organization-checkpoint.controller';
import { OrganizationCheckpointHandler } from './history/checkpoints/organization-checkpoint.handler';
import { PublishedCheckpointController } from './history/checkpoints/published-checkpoint.controller';
import { ExportController } from './history/export.controller';
import { OwnDataController } from './account/own-data.controller';
import { OneselfController } from './account/account.controller';
import { OperationsController } from './operations/operations.controller';
import { AccountsController } from './operators/accounts.controller';
import { KeysController } from './operators/keys.controller';
import { OrganizationController } from './organizations/organization.controller';
import { LinkBillingCustomerHandler, ReconcileBillingHandler } from './billing/account.handlers';
import {
  OrganizationChangesHandler,
  OrganizationEventsHandler,
  OrganizationExportHandler,
  OrganizationIntegrityHandler,
} from './history/history.handlers';
import { OrganizationFeedHandler } from './history/feed/organization-feed.handler';
import { NamesController } from './history/names/names.controller';
import { OrganizationNamesHandler } from './history/names/names.handler';
import { ReadersController } from './history/readers/readers.controller';
import { OrganizationReadersHandler } from './history/readers/readers.handler';
import { StepsController } from './history/steps/steps.controller';
import { OrganizationStepsHandler } from './history/steps/steps.handler';
import { TimelineController } from './history/timeline/timeline.controller';
import { OrganizationTimelineHandler } from './history/timeline/timeline.handler';
import { ValueChangesController } from './history/values/value-changes.controller';
import { OrganizationValueChangesHandler } from './history/values/value-changes.handler';
import { ListOrganizationsHandler } from './organizations/list-organizations.handler';
import { AddOrganizationMemberHandler } from './organizations/members/add-member.handler';
import { PreviewCommandsHandler } from './organizations/previews/previews.handler';
import { UndoController } from './organizations/previews/undo.controller';
import { UndoEventsHandler } from './organizations/previews/undo.handler';
import {
  ConfigureSingleSignOnHandler,
  RemoveSingleSignOnHandler,
  SingleSignOnSettingsHandler,
} from './sign-in/sso-settings/sso-settings.handlers';
import { QueryOrganizationHandler, ExecuteOrganizationCommandHandler } from './organizations/organization.handlers';
import { SitesController } from './organizations/sites/sites.controller';
import { ListMembersHandler } from './organizations/members/list-members.handler';
import { MembersController } from './organizations/members/members.controller';
import { StandingController } from './organizations/standing/standing.controller';
import { OrganizationStandingHandler } from './organizations/standing/standing.handler';
import { OrganizationsController } from './organizations/organizations.controller';
import { PagesController } from './pages/pages.controller';
import { ProblemPagesController } from './reference/problem-pages.controller';
import { AuthenticationGuard } from './http/authentication/authentication-guard';
import { IdempotencyInterceptor } from './http/idempotency';
import { ProblemsFilter } from './http/problems/problems.filter';
import { validationPipe } from './http/input/validation';
import { partProviders, type Runtime } from './process/runtime';
import { SignInController } from './sign-in/sign-in.controller';
import { WhatIfController } from './organizations/previews/previews.controller';

/**
 * The handlers to which Nest's buses pass each command and query of an organization, except requests on the fast path.
 */
const organizationHandlers = [
  ExecuteOrganizationCommandHandler,
  QueryOrganizationHandler,
  ListOrganizationsHandler,
  PreviewCommandsHandler,
  UndoEventsHandler,
  AddOrganizationMemberHandler,
  LinkBillingCustomerHandler,
  ReconcileBillingHandler,
  StartCheckoutHandler,
  ReadCheckoutHandler,
  OrganizationEventsHandler,
  OrganizationFeedHandler,
  OrganizationChangesHandler,
  OrganizationIntegrityHandler,
  OrganizationStepsHandler,
  OrganizationNamesHandler,
  OrganizationReadersHandler,
  OrganizationCheckpointHandler,
  ListMembersHandler,
  OrganizationStandingHandler,
  OrganizationValueChangesHandler,
  OrganizationTimelineHandler,
  OrganizationExportHandler,
  EvaluateFlagsHandler,
  SingleSignOnSettingsHandler,
  ConfigureSingleSignOnHandler,
  RemoveSingleSignOnHandler,
  ListDomainsHandler,
  ClaimDomainHandler,
  CheckDomainHandler,
  ChangeDomainHandler,
  ReleaseDomainHandler,
];

/** The only Nest module: it lists all controllers, guards and handlers. */
@Module({})
export class ApiModule {
  static over(runtime: Runtime): DynamicModule {
    return {
      module: ApiModule,
      imports: [CqrsModule.forRoot()],
      controllers: [
        OrganizationsController,
        CatalogueController,
        WhatIfController,
        UndoController,
        BillingAccountController,
        CheckoutController,
        OrganizationController,
        ExportController,
        PublishedCheckpointController,
        OrganizationCheckpointController,
        HistoryController,
        StepsController,
        NamesController,
        ReadersController,
        SitesController,
        MembersController,
        StandingController,
        ValueChangesController,
        TimelineController,
        ChangesController,
        FlagsController,
        EntitlementChangesController,
        FlagStreamsController,
        SingleSignOnSettingsController,
        VerifiedDomainsController,
        GoogleController,
        SingleSignOnController,
        WebhookController,
        BillingEventsController,
        QuarantineController,
        OperationsController,
        MailsController,
        DemoMailController,
        GoogleStandInController,
        SignInController,
        OneselfController,
        OwnDataController,
        AccountsController,
        KeysController,
        PagesController,
        ProblemPagesController,
      ],
      providers: [
        ...partProviders(runtime.parts),
        // Requires an authenticated caller, except on routes that are marked as public.
        { provide: APP_GUARD, useClass: AuthenticationGuard },
        { provide: APP_PIPE, useValue: validationPipe },
        { provide: APP_FILTER, useClass: ProblemsFilter },
        { provide: FEDERATION, useValue: createFederation(runtime, runtime.googleStandIn?.ask) },
        GoogleStrategy,
        IdempotencyInterceptor,
        ...organizationHandlers,
      ],
    };
  }
}
