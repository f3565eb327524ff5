/**
 * The scripts with this name among the built files: the bundler adds a hash to each name.
 * @throws if there is none, because a size budget of no script would always be met
 */
exports.scriptsNamed = (assets, name) => {
  const found = assets.filter((file) => file.startsWith(`${name}-`) && file.endsWith('.js'));
  if (found.length === 0) throw new Error(`The build has no script ${name}, so its size budget would measure nothing.`);
  return found;
};
