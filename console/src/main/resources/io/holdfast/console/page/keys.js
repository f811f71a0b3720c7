// @ts-check
/** The keys that work everywhere: `1` to `4` for the views, `/` for the search, Esc to close. */
import { VIEWS, go, parse, path } from './route.js';
import { useEffect } from './view.js';

const typing = (/** @type {EventTarget | null} */ target) =>
  target instanceof HTMLElement && (target.matches('input, select, textarea') || target.isContentEditable);

export function useShortcuts() {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') || typing(event.target)) return;
      const route = parse(location.hash);
      const view = VIEWS[Number(event.key) - 1];
      if (view) {
        go(path(view));
        document.getElementById('main')?.focus();
      } else if (event.key === '/') {
        event.preventDefault();
        if (route.view !== 'locks') go(path('locks'));
        focusSoon('search');
      } else if (event.key === 'Escape' && route.name !== undefined) {
        closeDetail(route);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** Focuses an element that one of the next frames may render. @param {string} id  @param {number} frames */
function focusSoon(id, frames = 30) {
  const element = document.getElementById(id);
  if (element) element.focus();
  else if (frames > 0) requestAnimationFrame(() => focusSoon(id, frames - 1));
}

/** Closes one lock or job, and returns the focus to its row. @param {{view: string, name: string | undefined}} route */
function closeDetail(route) {
  go(path(route.view));
  const row = document.querySelector('main a[aria-current="true"]');
  if (row instanceof HTMLElement) row.focus();
}
