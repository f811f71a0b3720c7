// @ts-check
/** All locks: one row each, with the holder, the time left and the queue. */
import * as clock from './clock.js';
import { useMedia, useWidth, useWindow } from './list.js';
import { LockRow } from './row.js';
import { number, plain, plural } from './format.js';
import { Empty } from './parts.js';
import { h, useEffect, useMemo, useRef, useState } from './view.js';

/** Heights of rows, as in views.css. */
const ROW = 52;
const CARD = 92;

/** @typedef {import('./state.js').Lock} Lock */

const heldSince = (/** @type {Lock} */ lock) => lock.heldSince || Infinity;
const waitSince = (/** @type {Lock} */ lock) =>
  Math.min(Infinity, ...lock.queue.map(waiter => waiter.since || Infinity));
const byName = (/** @type {Lock} */ a, /** @type {Lock} */ b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const by = (/** @type {(lock: Lock) => number} */ value) => (/** @type {Lock} */ a, /** @type {Lock} */ b) => {
  const [first, second] = [value(a), value(b)];
  return first === second ? byName(a, b) : first - second;
};
const ORDERS = { name: byName, held: by(heldSince), wait: by(waitSince) };
const ORDER_NAMES = { name: 'name', held: 'time held', wait: 'longest wait' };

/** @param {Lock} lock  @param {string} word in lower case */
function matches(lock, word) {
  const has = (/** @type {string | undefined} */ text) => !!text && text.toLowerCase().includes(word);
  return (
    has(lock.name) ||
    has(lock.note) ||
    has(lock.token) ||
    [...lock.clients, ...lock.queue].some(client => has(client.name))
  );
}

export function Locks({ overview, selected, stale }) {
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState('name');
  const [waited, setWaited] = useState(false);
  const shown = useMemo(() => {
    const word = search.trim().toLowerCase();
    return [...overview.locks.values()]
      .filter(lock => (!waited || lock.queue.length > 0) && (!word || matches(lock, word)))
      .sort(ORDERS[order]);
  }, [overview.locks, search, order, waited]);
  const all = overview.locks.size;
  const some = [...overview.locks.values()].filter(lock => lock.queue.length > 0).length;
  return h(
    'section',
    { class: 'locks', 'aria-labelledby': 'locks-title' },
    h('h1', { id: 'locks-title', class: 'hidden' }, 'Locks'),
    h(
      'div',
      { class: 'toolbar', role: 'search' },
      h('input', {
        id: 'search',
        type: 'search',
        placeholder: 'Search names, clients, notes',
        'aria-label': 'Search locks',
        value: search,
        autocomplete: 'off',
        spellcheck: false,
        onInput: (/** @type {any} */ event) => setSearch(event.target.value),
        onKeyDown: (/** @type {any} */ event) =>
          event.key === 'Escape' && (search ? setSearch('') : event.target.blur()),
      }),
      h(
        'button',
        { type: 'button', class: 'toggle', 'aria-pressed': String(waited), onClick: () => setWaited(!waited) },
        `Waited for ${number(some)}`,
      ),
      h(
        'label',
        { class: 'order' },
        h('span', { class: 'hidden' }, 'Order'),
        h(
          'select',
          { value: order, onChange: (/** @type {any} */ event) => setOrder(event.target.value) },
          Object.entries(ORDER_NAMES).map(([key, name]) => h('option', { key, value: key }, `by ${name}`)),
        ),
      ),
      h(
        'output',
        { class: 'muted count', 'aria-live': 'off' },
        shown.length === all ? plural(all, 'lock') : `${number(shown.length)} of ${plural(all, 'lock')}`,
      ),
    ),
    shown.length > 0
      ? h(Table, { locks: shown, order, setOrder, selected, stale })
      : h(Nothing, { all, search, waited, reset: () => (setSearch(''), setWaited(false)) }),
  );
}

function Nothing({ all, search, waited, reset }) {
  if (all === 0) {
    return h(
      Empty,
      { title: 'No lock is held.' },
      h('p', null, 'Hold one, and it appears here: ', h('code', null, 'holdfast run hello -- sleep 60')),
    );
  }
  return h(
    Empty,
    { title: search ? `No lock matches “${plain(search, 60)}”.` : 'No client waits for a lock.' },
    h('button', { type: 'button', onClick: reset }, `Show ${plural(all, 'lock')}`),
  );
}

const COLUMNS = [
  ['name', 'Lock', 'name'],
  ['holder', 'Held by', ''],
  ['left', 'Time left', ''],
  ['since', 'Held for', 'held'],
  ['token', 'Token', ''],
  ['queue', 'Queue', 'wait'],
];

function Table({ locks, order, setOrder, selected, stale }) {
  const frame = useRef(null);
  const narrow = useMedia('(max-width: 720px)');
  const height = narrow ? CARD : ROW;
  const { first, last, above, below } = useWindow(frame, locks.length, height);
  const width = useWidth(frame);
  const chips = narrow || width > 1000 ? 3 : width > 800 ? 2 : 1;
  const now = clock.useNow();
  useEffect(() => {
    const index = locks.findIndex((/** @type {Lock} */ lock) => lock.name === selected);
    if (index >= 0) scrollTo(frame.current, index, height);
  }, [selected]);

  const move = (/** @type {KeyboardEvent} */ event) => {
    const target = /** @type {HTMLElement} */ (event.target).closest('[data-index]');
    const steps = /** @type {Record<string, number>} */ ({
      ArrowDown: 1,
      ArrowUp: -1,
      Home: -locks.length,
      End: locks.length,
    });
    if (!target || !(event.key in steps)) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(locks.length - 1, Number(target.getAttribute('data-index')) + steps[event.key]));
    scrollTo(frame.current, index, height);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => frame.current?.querySelector(`[data-index="${index}"] a`)?.focus()),
    );
  };

  const spacer = (/** @type {string} */ key, /** @type {number} */ size) =>
    h('tr', { key, class: 'spacer', 'aria-hidden': 'true', style: { height: `${size}px` } });
  return h(
    'div',
    { class: 'scroll', ref: frame, onKeyDown: move },
    h(
      'table',
      { class: 'rows', role: 'table', 'aria-labelledby': 'locks-title', 'aria-rowcount': locks.length + 1 },
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          COLUMNS.map(([key, title, sort]) =>
            h(
              'th',
              {
                key,
                class: key,
                role: 'columnheader',
                scope: 'col',
                'aria-sort': sort && sort === order ? 'ascending' : undefined,
              },
              sort
                ? h(
                    'button',
                    {
                      type: 'button',
                      class: 'sort',
                      onClick: () => setOrder(sort),
                      title: `Sort by ${ORDER_NAMES[sort]}`,
                    },
                    title,
                  )
                : title,
            ),
          ),
        ),
      ),
      h(
        'tbody',
        { role: 'rowgroup' },
        spacer('above', above),
        locks
          .slice(first, last)
          .map((/** @type {Lock} */ lock, /** @type {number} */ i) =>
            h(LockRow, { key: lock.name, lock, index: first + i, selected: lock.name === selected, stale, now, chips }),
          ),
        spacer('below', below),
      ),
    ),
  );
}

/** @param {any} frame  @param {number} index  @param {number} height */
function scrollTo(frame, index, height) {
  const head = frame.querySelector('thead').offsetHeight;
  const top = index * height;
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top + height + head > frame.scrollTop + frame.clientHeight)
    frame.scrollTop = top + height + head - frame.clientHeight;
}
