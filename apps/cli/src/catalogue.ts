import {
  builtInCatalogue,
  CatalogueRefused,
  loadCatalogue,
  printedCatalogue,
  type CatalogueProblem,
} from '@charter/catalogue';
import { type Grants, Resource, resources, type Terms } from '@charter/organization';
import { publicDocumentFields } from '@charter/organization-view';
import { readSettings } from '@charter/settings';
import type { Command } from 'commander';
import type { CommandAnswer } from './terminal/command-answer';
import type { ActionRunner } from './terminal/action-runner';
import { countText } from './terminal/amounts';
import { CommandDeclined } from './terminal/problem';
import { table } from './terminal/table';
import { filePath } from './terminal/argument-values';

export function addCatalogue(program: Command, { withoutStores }: ActionRunner): void {
  const catalogue = program.command('catalogue').description('the catalogue: plans and add-ons for sale');
  catalogue
    .command('check')
    .argument('[FILE]', 'the file; default: the file in the settings, else the built-in catalogue', filePath)
    .description('check a catalogue and print each problem with its path, line and column')
    .action((file: string | undefined) =>
      withoutStores(() => {
        const { catalogueFile, planProviderIds } = readSettings(publicDocumentFields);
        return check(file ?? catalogueFile ?? builtInCatalogue, planProviderIds);
      }),
    );
  catalogue
    .command('list')
    .description('print all that is for sale today')
    .action(() => withoutStores(list));
}

/**
 * Prints the product catalogue of this installation, together with the plans' ids at the payment provider. Only
 * operators may see provider ids, and a person who can run this command is an operator.
 */
function list(): CommandAnswer {
  const { catalogueFile, planProviderIds, productKey } = readSettings(publicDocumentFields);
  const sold = printedCatalogue(loaded(catalogueFile, planProviderIds), productKey, 'with provider ids');
  const plans = sold.plans.map(({ line, plan, terms, providerId }) => [
    `${line}/${plan}`,
    ...Resource.options.map((resource) => limitText(resource, terms)),
    String(terms.trafficPerMonth),
    providerId ?? '-',
    terms.features.join(', ') || '-',
  ]);
  const addOns = sold.addOns.map(({ addOn, grants, providerId }) => [addOn, providerId ?? '-', grantText(grants)]);
  const levels = sold.serviceLevels.map(({ serviceLevel, features }) => [serviceLevel, features.join(', ')]);
  const heads = Resource.options.map((resource) => resources[resource].plural.toUpperCase());
  const text = [
    table(['PLAN', ...heads, 'VIEWS A MONTH', 'PROVIDER ID', 'FEATURES'], plans),
    table(['ADD-ON', 'PROVIDER ID', 'GRANTS'], addOns),
    table(['SERVICE LEVEL', 'FEATURES'], levels),
  ].join('\n\n');
  return { text, json: sold };
}

function loaded(file: string | undefined, planProviderIds: readonly string[]) {
  try {
    return loadCatalogue({ file, planProviderIds });
  } catch (error) {
    if (error instanceof CatalogueRefused) throw new CommandDeclined('no-catalogue', 400, error.message);
    throw error;
  }
}

function limitText(
  resource: Resource,
  { limits, hardLimits, soldOnlyByAddOn }: Pick<Terms, 'limits' | 'hardLimits' | 'soldOnlyByAddOn'>,
): string {
  const [limit = 0, hard] = [limits[resource], hardLimits[resource]];
  if (limit === 0) return soldOnlyByAddOn.includes(resource) ? 'by add-on' : 'unlimited';
  return hard === undefined ? String(limit) : `${limit}, at most ${hard}`;
}

const grantText = ({ limits, features }: Grants) =>
  [...Object.entries(limits).map(([resource, amount]) => `+${amount} ${resource}`), ...features].join(', ');

/** Reads the catalogue exactly as the server does at its start. */
function check(file: string, planProviderIds: readonly string[]): CommandAnswer {
  try {
    const catalogue = loadCatalogue({ file, planProviderIds });
    const [plans, addOns] = [catalogue.plans().length, catalogue.addOns().length];
    const text = `${file} is fine: ${countText(plans, 'plan')}, ${countText(addOns, 'add-on')}.`;
    return { text, json: { ok: true, file, plans, addOns, problems: [] } };
  } catch (error) {
    if (!(error instanceof CatalogueRefused)) throw error;
    const { problems } = error;
    const text = `${file} cannot be used: ${countText(problems.length, 'problem')}.\n\n${listed(problems)}`;
    return { text, json: { ok: false, file, problems }, ok: false };
  }
}

const listed = (problems: readonly CatalogueProblem[]) =>
  table(
    ['LINE', 'COLUMN', 'PATH', 'PROBLEM'],
    problems.map(({ line, column, path, message }) => [String(line), String(column), path || '-', message]),
  );
