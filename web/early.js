// The first script of the sign-in pages. A person can press the button of a form before the application has loaded.
// Then this script remembers the press, and the application sends the form later.
(function () {
  var page = document;
  page.querySelectorAll('form[data-early] [type=submit]').forEach(function (button) {
    button.disabled = false;
  });
  page.addEventListener(
    'submit',
    function (event) {
      if ('ready' in page.documentElement.dataset) return;
      event.preventDefault();
      var form = event.target;
      var button = form.querySelector('[type=submit]');
      form.dataset.held = '';
      button.setAttribute('aria-disabled', 'true'); // a disabled button would lose the focus
      button.setAttribute('aria-busy', 'true');
    },
    true,
  );
})();
