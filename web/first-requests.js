// Requests the present data of an organization while the scripts of the console still load. A page about a past moment
// also needs these data. `src/console/requests/first-answers.ts` takes the answers. The script also preloads the files
// of the time bar, for which the whole page waits. `pages.mjs` inserts the addresses of these files for each language.
(function () {
  var organization = /^\/org\/([0-9a-f-]{36})\/[a-z]/.exec(location.pathname);
  if (!organization) return;
  var answers = {};
  var base = '/api/v1/organizations/' + organization[1];
  [base, base + '/entitlements', base + '/standing', '/api/v1/me', '/api/v1/catalogue'].forEach(function (address) {
    answers[address] = fetch(address, { headers: { Accept: 'application/json' } }).catch(function () {
      // the console sends the request again, and shows what failed
    });
  });
  window.firstAnswers = answers;
  var files = '[[bar]]';
  files[document.documentElement.lang].forEach(function (file) {
    var link = document.createElement('link');
    link.rel = /css$/.test(file) ? 'preload' : 'modulepreload';
    link.as = /css$/.test(file) ? 'style' : 'script';
    link.href = file;
    link.crossOrigin = ''; // as in the later request, which otherwise would load the file again
    document.head.append(link);
  });
})();
