// Requests the present data of an organization while the scripts of the console still load. A page about a past moment
// also needs these data. `src/console/requests/first-answers.ts` takes the answers.
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
})();
