// The first script of the sign-in pages. While the application loads, the button works, and this script holds a submit.
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
      button.disabled = true;
      button.setAttribute('aria-busy', 'true');
    },
    true,
  );
})();
