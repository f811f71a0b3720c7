// @ts-check
/** Who waits for whom: a graph, and the same as a list. */
import { useNow } from './clock.js';
import { about, number, plain, plural, tint } from './format.js';
import { SIZE, layout } from './layout.js';
import { LockLink } from './lock.js';
import { path } from './route.js';
import { ClientName, Empty } from './parts.js';
import { waiting } from './state.js';
import { h, useMemo } from './view.js';

const LISTED = 100;
/** More waiters of one lock than these are in the view of that lock only. */
const WAITERS = 10;

export function Waits({ overview }) {
  const { locks, cycles } = overview;
  const waited = useMemo(() => [...locks.values()].filter(lock => lock.queue.length > 0), [locks]);
  const graph = useMemo(() => layout(waited, cycles), [waited, cycles]);
  return h(
    'section',
    { class: 'scroll page waits', 'aria-labelledby': 'waits-title' },
    h('h1', { id: 'waits-title' }, 'Waits'),
    cycles.length > 0 &&
      h(
        'ul',
        { class: 'cycles', 'aria-label': 'Cycles' },
        cycles.map((/** @type {any[]} */ cycle, /** @type {number} */ i) => h('li', { key: i }, h(Cycle, { cycle }))),
      ),
    waited.length === 0
      ? h(
          Empty,
          { title: 'No client waits.' },
          h(
            'p',
            null,
            'Wait for a lock that is held, and both clients appear here: ',
            h('code', null, 'holdfast run hello -- sleep 60'),
          ),
        )
      : [
          h(
            'div',
            {
              class: 'graph',
              key: 'graph',
              tabIndex: 0,
              role: 'group',
              'aria-label': 'Graph of waits; the list below says the same',
            },
            h(Graph, { graph }),
          ),
          graph.left > 0 &&
            h(
              'p',
              { class: 'muted', key: 'left' },
              `${plural(graph.left, 'lock')} more not drawn: those with the shortest queues.`,
            ),
          h('h2', { key: 'title' }, 'As a list'),
          h(List, { waited, key: 'list' }),
        ],
  );
}

const Cycle = ({ cycle }) => [
  h('strong', { class: 'loss', key: 'title' }, `Cycle of ${cycle.length}: `),
  cycle.map((/** @type {any} */ step, /** @type {number} */ i) =>
    h(
      'span',
      { key: i, class: 'step' },
      h(ClientName, { client: { id: step.client, name: step.name } }),
      ' waits for ',
      h(LockLink, { name: step.waitsFor }),
      ', held by ',
    ),
  ),
  h(ClientName, { client: { id: cycle[0].client, name: cycle[0].name }, key: 'first' }),
  '. None of them goes on until one ends its wait.',
];

function List({ waited }) {
  const now = useNow();
  return [
    h(
      'ul',
      { class: 'wait-list', key: 'list' },
      waited.slice(0, LISTED).map((/** @type {any} */ lock) =>
        h(
          'li',
          { key: lock.name },
          h(
            'p',
            null,
            h(LockLink, { name: lock.name }),
            lock.clients.length > 0
              ? [
                  ' is held by ',
                  lock.clients.map((/** @type {any} */ client, /** @type {number} */ i) => [
                    i > 0 && ', ',
                    h(ClientName, { client, key: client.id }),
                  ]),
                ]
              : ' is not held',
          ),
          h(
            'ol',
            null,
            lock.queue
              .slice(0, WAITERS)
              .map((/** @type {any} */ client, /** @type {number} */ i) =>
                h(
                  'li',
                  { key: client.id || i },
                  h(ClientName, { client }),
                  client.since > 0 && h('span', { class: 'figure' }, ` waits for ${about(now - client.since)}`),
                ),
              ),
          ),
          waiting(lock) > WAITERS && h('p', { class: 'muted' }, `… and ${number(waiting(lock) - WAITERS)} more.`),
        ),
      ),
    ),
    waited.length > LISTED &&
      h(
        'p',
        { class: 'muted', key: 'rest' },
        `${plural(waited.length - LISTED, 'lock')} more: choose “Waited for” in the view of locks.`,
      ),
  ];
}

const PAD = 6;

function Graph({ graph }) {
  const { boxes, edges, width, height } = graph;
  return h(
    'svg',
    {
      width: width + 2 * PAD,
      height: height + 2 * PAD,
      viewBox: `${-PAD} ${-PAD} ${width + 2 * PAD} ${height + 2 * PAD}`,
    },
    h(
      'defs',
      null,
      ['plain', 'red'].map(kind =>
        h(
          'marker',
          {
            key: kind,
            id: `arrow-${kind}`,
            class: kind,
            viewBox: '0 0 8 8',
            refX: 7,
            refY: 4,
            markerWidth: 7,
            markerHeight: 7,
            orient: 'auto-start-reverse',
          },
          h('path', { d: 'M0 .5 7.5 4 0 7.5z' }),
        ),
      ),
    ),
    edges.map((/** @type {any} */ edge) => h(Arrow, { edge, key: `${edge.from.key}>${edge.to.key}` })),
    boxes.map((/** @type {any} */ box) => h(Box, { box, key: box.key })),
  );
}

function Arrow({ edge }) {
  const { from, to, red, back, label, low } = edge;
  const half = SIZE.height / 2;
  const [x1, y1, x2, y2] = [from.x, from.y + half, to.x + to.width, to.y + half];
  const d = back
    ? `M${from.x + 24} ${from.y + SIZE.height}V${low - 8}q0 8 8 8` +
      `H${to.x + to.width - 32}q8 0 8 -8V${to.y + SIZE.height}`
    : `M${x1} ${y1}C${x1 - 24} ${y1} ${x2 + 24} ${y2} ${x2} ${y2}`;
  return h(
    'g',
    { class: red ? 'edge red' : 'edge' },
    h('path', { d, 'marker-end': `url(#arrow-${red ? 'red' : 'plain'})` }),
    label && !back && h('text', { x: x1 - 6, y: y1 - 5, 'text-anchor': 'end' }, label),
  );
}

function Box({ box }) {
  const letters = Math.floor((box.width - 28) / 7);
  const shape = [
    h('title', { key: 'title' }, plain(box.label, 300)),
    h('rect', {
      key: 'frame',
      x: box.x,
      y: box.y,
      width: box.width,
      height: SIZE.height,
      rx: box.kind === 'lock' ? SIZE.height / 2 : 5,
    }),
    box.kind === 'client' &&
      h('rect', {
        key: 'swatch',
        class: `swatch-fill ${tint(box.label)}`,
        x: box.x + 9,
        y: box.y + 10,
        width: 10,
        height: 10,
        rx: 2,
      }),
    h(
      'text',
      {
        key: 'label',
        x: box.x + (box.kind === 'client' ? 26 : box.width / 2),
        y: box.y + 19.5,
        'text-anchor': box.kind === 'client' ? 'start' : 'middle',
      },
      plain(box.label || box.id, letters),
    ),
  ];
  const kind = `box ${box.kind}${box.red ? ' red' : ''}`;
  return box.kind === 'lock'
    ? h('a', { href: path('locks', box.id), class: kind, 'aria-label': `Lock ${plain(box.label, 120)}` }, shape)
    : h('g', { class: kind }, shape);
}
