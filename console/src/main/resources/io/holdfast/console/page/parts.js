// @ts-check
/** The small parts that all views share. */
import * as clock from './clock.js';
import { duration, instant, isTime, plain, relative, seconds, tint, visible } from './format.js';
import { h, useEffect, useLayoutEffect, useRef } from './view.js';

/** The most characters of a name or note that stands alone. */
export const LONG = 2000;

/** Foreign text: what cannot be shown is escaped, and its direction stays its own. */
export function Text({ text, limit = 120 }) {
  if (!text) return h('span', { class: 'muted' }, '(empty)');
  const parts = visible(text, limit).map(part => (part.escape ? h('span', { class: 'escape' }, part.text) : part.text));
  return h('bdi', { class: 'text' }, parts);
}

/** A client by name, with its colour. @param {{client: import('./state.js').Client}} properties */
export function ClientName({ client }) {
  const { id, name } = client;
  return h(
    'span',
    { class: 'client', title: plain([name, id].filter(Boolean).join(', '), 300) },
    h('span', { class: `swatch ${tint(name || id)}`, 'aria-hidden': 'true' }),
    h(Text, { text: name || id || 'unknown client', limit: 80 }),
  );
}

const LAMPS = {
  good: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z',
  quarantine: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zm0 2v6a3 3 0 0 1 0-6z',
  lost: 'M4.5 3 3 4.5 6.5 8 3 11.5 4.5 13 8 9.5l3.5 3.5 1.5-1.5L9.5 8 13 4.5 11.5 3 8 6.5z',
  waiting: 'M8 2.5 1.8 13.5h12.4z',
  free: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zm0 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
};

/** A lamp differs by shape as well as by colour. @param {{kind: string, text?: string}} properties */
export function Lamp({ kind, text }) {
  return h(
    'span',
    { class: `lamp ${kind}` },
    h(
      'svg',
      { viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
      h('path', { d: LAMPS[kind] ?? LAMPS.free }),
    ),
    text && h('span', null, text),
  );
}

/** @param {{kind: string, children?: any}} properties */
export const Badge = ({ kind, children }) => h('span', { class: `badge ${kind}` }, children);

/** A duration that grows since `from`. */
export function Since({ from }) {
  const now = clock.useNow();
  return from ? h('span', { class: 'figure' }, duration(Math.floor((now - from) / 1000) * 1000)) : '–';
}

/** A duration that shrinks until `to`. */
export function Left({ to }) {
  const now = clock.useNow(500);
  return to ? h('span', { class: 'figure' }, seconds(to - now)) : '–';
}

/** `12 s ago` or `in 3 h`. */
export function Relative({ time }) {
  const now = clock.useNow();
  return time ? h('span', { class: 'figure' }, relative(time, now)) : '–';
}

/** An instant, for machines and people. */
export const At = ({ time }) =>
  time && isTime(time)
    ? h('time', { class: 'figure', datetime: new Date(time).toISOString() }, instant(time, clock.now()))
    : '–';

/**
 * A bar that runs out at `to`. The browser moves it: nothing is computed for each frame.
 * @param {{to?: number, total?: number, kind?: string, still?: boolean}} properties
 */
export function Bar({ to = 0, total = 0, kind = 'held', still = false }) {
  const fill = useRef(null);
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const beat = clock.useNow(calm ? 1000 : 3_600_000);
  useLayoutEffect(() => {
    const left = Math.max(0, to - clock.now());
    const share = total > 0 ? Math.min(1, left / total) : 0;
    const scale = (/** @type {number} */ part) => ({ transform: `scaleX(${part})` });
    fill.current.style.setProperty('transform', `scaleX(${share})`);
    if (still || calm || left <= 0) return undefined;
    const run = fill.current.animate([scale(share), scale(0)], { duration: left, fill: 'forwards' });
    return () => run.cancel();
  }, [to, total, still, calm && Math.floor(beat / 1000)]);
  return h('span', { class: `bar ${kind}`, 'aria-hidden': 'true' }, h('span', { class: 'fill', ref: fill }));
}

/** The head of a panel, which takes the focus. @param {{kind: string, name: string, close: () => void}} properties */
export function PanelHead({ kind, name, close }) {
  const title = useRef(null);
  useEffect(() => title.current?.focus(), [name]);
  return h(
    'div',
    { class: 'panel-head' },
    h('h2', { id: `${kind}-title`, tabIndex: -1, ref: title }, h(Text, { text: name, limit: LONG })),
    h('button', { type: 'button', class: 'close', 'aria-label': `Close this ${kind}`, onClick: close }, '×'),
  );
}

/** The head of a table. @param {{titles: string[]}} properties */
export const Head = ({ titles }) =>
  h(
    'thead',
    null,
    h(
      'tr',
      null,
      titles.map(title => h('th', { key: title, scope: 'col' }, title)),
    ),
  );

/** What to do where nothing is shown. */
export const Empty = ({ title, children }) =>
  h('div', { class: 'empty' }, h('p', { class: 'empty-title' }, title), children);

/** Facts in two columns. @param {{facts: [string, any][]}} properties */
export const Facts = ({ facts }) =>
  h(
    'dl',
    { class: 'facts' },
    facts
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [h('dt', { key: `${name}-name` }, name), h('dd', { key: name }, value)]),
  );
