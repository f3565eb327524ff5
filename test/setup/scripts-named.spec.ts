const { scriptsNamed } = jest.requireActual<{
  scriptsNamed: (assets: readonly string[], name: string) => readonly string[];
}>('../../scripts/scripts-named.cjs');

const built = ['Sites-Ba9STjY_.js', 'Sites-Ba9STjY_.js.br', 'Sites-C0J8zFmH.css', 'SitesOfPlan-D4ngsgod.js'];

describe('A size budget that names a script', () => {
  it('measures the built script with this name', () => {
    expect(scriptsNamed(built, 'Sites')).toEqual(['Sites-Ba9STjY_.js']);
  });

  it('is an error if the build has no script with this name, because the budget would measure nothing', () => {
    expect(() => scriptsNamed(built, 'Site')).toThrow('The build has no script Site,');
  });
});
