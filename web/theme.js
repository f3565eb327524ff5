// Sets the chosen colour theme before the browser paints the console for the first time. `src/choices/theme.ts` stores
// the choice.
(function () {
  try {
    var theme = localStorage.getItem('charter-theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // without local storage, the system chooses the colours
  }
})();
