// The first script of the sign-in pages. A person can press the button of a form before the application has loaded.
// Then this script remembers the press, and the application sends the form later. If the application cannot load, the
// next press loads the page again.
(function () {
  var page = document;
  var hasFailed = false;
  page.querySelectorAll('form[data-early] [type=submit]').forEach(function (button) {
    button.disabled = false;
  });
  page.addEventListener(
    'submit',
    function (event) {
      if ('ready' in page.documentElement.dataset) return;
      event.preventDefault();
      if (hasFailed) return page.location.reload();
      var form = event.target;
      var button = form.querySelector('[type=submit]');
      form.dataset.held = '';
      button.setAttribute('aria-disabled', 'true'); // a disabled button would lose the focus
      button.setAttribute('aria-busy', 'true');
    },
    true,
  );
  // The browser fires this event if a module script or one of its imports does not load. If a script does not load
  // later, `sign-in.tsx` dispatches the event.
  page.addEventListener(
    'error',
    function (event) {
      if (event.target.type !== 'module') return;
      hasFailed = true;
      page.querySelectorAll('[data-held] [type=submit]').forEach(function (button) {
        button.removeAttribute('aria-disabled');
        button.removeAttribute('aria-busy');
      });
    },
    true,
  );
})();
