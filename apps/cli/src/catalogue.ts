import { builtInCatalogue, CatalogueRefused, loadCatalogue, type CatalogueProblem } from '@charter/catalogue';
import { publicDocumentFields } from '@charter/organization-view';
import { readSettings } from '@charter/settings';
import type { Command } from 'commander';
import type { CommandAnswer } from './terminal/command-answer';
import type { ActionRunner } from './terminal/action-runner';
import { countText } from './terminal/amounts';
import { table } from './terminal/table';

export function addCatalogue(program: Command, { withoutStores }: ActionRunner): void {
  const catalogue = program.command('catalogue').description('the catalogue: plans and add-ons for sale');
  catalogue
    .command('check')
    .argument('[FILE]', 'the file; default: the file in the settings, else the built-in catalogue')
    .description('check a catalogue and print each problem with its path, line and column')
    .action((file: string | undefined) =>
      withoutStores(() => {
        const { catalogueFile, planProviderIds } = readSettings(publicDocumentFields);
        return check(file ?? catalogueFile ?? builtInCatalogue, planProviderIds);
      }),
    );
}

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
