/* Sets the stored theme before the first paint. A classic script: a module would run after it. */
'use strict';
(() => {
  try {
    const stored = localStorage.getItem('holdfast-theme');
    if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
  } catch {
    /* Storage is forbidden: the theme of the system is used. */
  }
})();
