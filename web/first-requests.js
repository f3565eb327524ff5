// Requests the data of an organization while the scripts of the console still load.
// `src/console/requests/first-answers.ts` takes the answers. On a page about a past moment, this script sends no
// requests, because the page needs other answers.
(function () {
  var overview = /^\/org\/([0-9a-f-]{36})\/overview$/.exec(location.pathname);
  if (!overview || /[?&](asOf|valid)=/.test(location.search)) return;
  var answers = {};
  ['', '/entitlements', '/standing'].forEach(function (part) {
    var address = '/api/v1/organizations/' + overview[1] + part;
    answers[address] = fetch(address, { headers: { Accept: 'application/json' } }).catch(function () {
      // the console sends the request again, and shows what failed
    });
  });
  window.firstAnswers = answers;
})();
