// @ts-check
/** The switch of the theme: that of the system, unless one is chosen. */
import { h, useState } from './view.js';

const KEY = 'holdfast-theme';
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
    { type: 'button', class: 'theme small', onClick: change, 'aria-label': `Theme: ${theme}` },
    h('span', { class: 'muted' }, 'Theme '),
    theme,
  );
}
