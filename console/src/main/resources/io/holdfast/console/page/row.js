// @ts-check
/** One lock as a row of the list. */
import { path } from './route.js';
import { Badge, Bar, ClientName, Left, Since, Text } from './parts.js';
import { waiting } from './state.js';
import { h } from './view.js';

/** How long a row stays red after its holder was lost. */
export const RED = 6000;

/** What the state of a lock is called, and its colour. */
export const STATES = {
  held: ['held', 'held'],
  shared: ['shared', 'held'],
  retained: ['retained', 'free'],
  disputed: ['no majority', 'waiting'],
  unknown: ['unknown', 'waiting'],
  free: ['free', 'free'],
};

/** What the end of a hold is called. */
export const ENDS = {
  released: 'released',
  'taken over': 'lost, taken over',
  expired: 'lost, expired',
  broken: 'broken',
  unknown: 'not seen',
};

export const LockRow = ({ lock, index, selected, stale, now, chips }) => {
  const red = lock.lost && now - lock.lost.at < RED;
  return h(
    'tr',
    {
      role: 'row',
      'data-index': index,
      'aria-rowindex': index + 2,
      class: [selected && 'selected', red && 'red'].filter(Boolean).join(' '),
    },
    h(
      'th',
      { class: 'name', role: 'rowheader', scope: 'row' },
      h(
        'a',
        { href: path('locks', lock.name), 'aria-current': selected ? 'true' : undefined },
        h(Text, { text: lock.name }),
      ),
      lock.note && h('span', { class: 'note' }, h(Text, { text: lock.note })),
    ),
    h('td', { class: 'holder', role: 'cell' }, red && h(Gone, { lost: lock.lost }), h(Holder, { lock })),
    h('td', { class: 'left', role: 'cell' }, h(TimeLeft, { lock, stale })),
    h('td', { class: 'since figure', role: 'cell' }, lock.heldSince ? h(Since, { from: lock.heldSince }) : ''),
    h('td', { class: 'token figure', role: 'cell' }, lock.token),
    h('td', { class: 'queue', role: 'cell' }, h(Queue, { lock, chips })),
  );
};

/** The client that was lost, for as long as the row is red. */
const Gone = ({ lost }) =>
  h(
    'span',
    { class: 'gone' },
    h(ClientName, { client: lost }),
    h('span', { class: 'gone-end' }, lost.end === 'broken' ? 'broken' : 'lost'),
  );

/** Who holds a lock: a name, several, or the state that explains why there is none. */
export function Holder({ lock }) {
  const [name, kind] = STATES[lock.state] ?? STATES.unknown;
  const [first] = lock.clients;
  const badge =
    lock.state !== 'held' && h(Badge, { kind }, lock.clients.length > 1 ? `${name} by ${lock.clients.length}` : name);
  return h(
    'span',
    { class: 'holders' },
    first
      ? h(ClientName, { client: first })
      : lock.state === 'held' && h('span', { class: 'muted figure' }, lock.holder || 'unknown client'),
    badge,
  );
}

export const TimeLeft = ({ lock, stale }) =>
  lock.freeAt && lock.state !== 'free'
    ? [
        h(Left, { to: lock.freeAt, key: 'left' }),
        lock.leaseMillis > 0 && h(Bar, { to: lock.freeAt, total: lock.leaseMillis, still: stale, key: 'bar' }),
      ]
    : lock.state !== 'free' && h('span', { class: 'muted' }, '–');

/** The first waiters, in order, and how many follow. */
function Queue({ lock, chips }) {
  const { queue } = lock;
  const more = waiting(lock) - Math.min(chips, queue.length);
  return (
    queue.length > 0 &&
    h(
      'ol',
      { class: 'chips', 'aria-label': `${waiting(lock)} waiting` },
      queue
        .slice(0, chips)
        .map((/** @type {any} */ client, /** @type {number} */ i) =>
          h('li', { key: client.id || i, class: 'chip' }, h(ClientName, { client })),
        ),
      more > 0 && h('li', { key: 'more', class: 'more' }, `+${more}`),
    )
  );
}
