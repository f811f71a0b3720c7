// @ts-check
/** The switch of the theme: that of the system, unless one is chosen. */
import { h, useState } from './view.js';

const KEY = 'holdfast-theme';
const SIGNS = {
  auto: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 1.5v9a4.5 4.5 0 0 1 0-9z',
  light:
    'M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM7.3 0h1.4v3H7.3zM7.3 13h1.4v3H7.3zM0 7.3h3v1.4H0zM13 7.3h3v1.4h-3z',
  dark: 'M6.5 1.8A6.5 6.5 0 1 0 14.2 9.5 5.2 5.2 0 0 1 6.5 1.8z',
};
const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };

export function ThemeSwitch() {
  const root = document.documentElement;
  const [theme, setTheme] = useState(root.dataset.theme ?? 'auto');
  const change = () => {
    const next = NEXT[theme];
    if (next === 'auto') delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      if (next === 'auto') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, next);
    } catch {
      // Storage is forbidden: the choice lasts as long as the page.
    }
    setTheme(next);
  };
  return h(
    'button',
    { type: 'button', class: 'theme', onClick: change, 'aria-label': `Theme: ${theme}`, title: `Theme: ${theme}` },
    h('svg', { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' }, h('path', { d: SIGNS[theme] })),
  );
}
