// @ts-check
/** The frame of the page: header, views, and what is said aloud. */
import { age, useNow } from './clock.js';
import { duration, number, plain, plural, nodeName } from './format.js';
import { JobDetail, Jobs } from './jobs.js';
import { useShortcuts } from './keys.js';
import { LockDetail } from './lock.js';
import { Locks } from './locks.js';
import { NODE_STATES, Nodes, spareText } from './nodes.js';
import { Empty, Lamp, Text } from './parts.js';
import { VIEWS, go, path, useRoute } from './route.js';
import { counts, losses } from './state.js';
import { Waits } from './waits.js';
import { h, useEffect, useErrorBoundary, useRef, useState } from './view.js';

const TITLES = { locks: 'Locks', nodes: 'Nodes', jobs: 'Jobs', waits: 'Waits' };

/** Draws the page, or says that it cannot: what is drawn no longer would look as if it were fresh. */
export function App({ store }) {
  const [problem] = useErrorBoundary((/** @type {any} */ error) => console.error(error));
  return problem
    ? h(
        Empty,
        { title: 'This page has failed.' },
        h('p', { role: 'alert' }, 'Reload it. ', plain(String(problem), 300)),
      )
    : h(Page, { store });
}

function Page({ store }) {
  const [state, setState] = useState(store.get());
  useEffect(() => store.subscribe(setState), [store]);
  const route = useRoute();
  const { overview, connection } = state;
  const stale = connection !== 'live';
  useShortcuts();
  useTitle(overview, stale);
  return h(
    'div',
    { class: stale ? 'frame stale' : 'frame' },
    h(
      'a',
      {
        class: 'skip',
        href: '#main',
        onClick: (/** @type {Event} */ event) => (event.preventDefault(), document.getElementById('main')?.focus()),
      },
      'Skip to the content',
    ),
    h(Header, { state, route }),
    h(
      'main',
      { id: 'main', tabIndex: -1, class: route.name === undefined ? '' : 'split' },
      overview ? h(View, { overview, route, stale }) : h(Waiting, { state }),
    ),
    h(
      'footer',
      null,
      h('span', null, h('kbd', null, '1'), '–', h('kbd', null, '4'), ' views'),
      h('span', null, h('kbd', null, '/'), ' search'),
      h('span', null, h('kbd', null, 'Esc'), ' close'),
    ),
    h(Announcer, { overview }),
  );
}

function View({ overview, route: { view, name }, stale }) {
  const close = () => go(path(view));
  switch (view) {
    case 'nodes':
      return h(Nodes, { overview, stale });
    case 'jobs':
      return [
        h(Jobs, { key: 'list', overview, selected: name }),
        name !== undefined && h(JobDetail, { key: `one ${name}`, overview, name, close }),
      ];
    case 'waits':
      return h(Waits, { overview });
    default:
      return [
        h(Locks, { key: 'list', overview, selected: name, stale }),
        name !== undefined && h(LockDetail, { key: `one ${name}`, overview, name, stale, close }),
      ];
  }
}

const Waiting = ({ state }) =>
  h(
    Empty,
    { title: state.problem ? 'The console refuses.' : 'Connecting to the console…' },
    state.problem && h('p', { role: 'alert' }, state.problem),
  );

function Header({ state, route }) {
  const { overview } = state;
  const of = overview && counts(overview);
  const marks = /** @type {Record<string, any>} */ (
    of ? { locks: [overview.locks.size], nodes: [], jobs: [of.overdue, 'lost'], waits: [of.cycles, 'lost'] } : {}
  );
  return h(
    'header',
    null,
    h(
      'div',
      { class: 'brand' },
      h('img', { src: 'icon.svg', alt: '', width: 22, height: 22 }),
      h('strong', null, 'Holdfast'),
      overview && h('span', { class: 'source muted' }, h(Text, { text: overview.source.name, limit: 60 })),
    ),
    h(
      'nav',
      { 'aria-label': 'Views' },
      VIEWS.map((view, i) => {
        const [count, kind] = marks[view] ?? [];
        return h(
          'a',
          {
            key: view,
            href: path(view),
            'aria-current': route.view === view ? 'page' : undefined,
            'aria-keyshortcuts': String(i + 1),
          },
          TITLES[view],
          count > 0 && h('span', { class: `mark ${kind ?? ''}` }, number(count)),
        );
      }),
    ),
    of &&
      h(
        'ul',
        { class: 'counts', 'aria-label': 'Now' },
        [
          ['held', of.held, 'held'],
          ['waiting', of.waiting, 'waiting'],
          [of.cycles === 1 ? 'cycle' : 'cycles', of.cycles, 'lost'],
          ['overdue', of.overdue, 'lost'],
        ].map(([name, count, kind]) =>
          h(
            'li',
            { key: kind + name, class: count ? kind : 'none' },
            h('strong', { class: 'figure' }, number(count)),
            ` ${name}`,
          ),
        ),
      ),
    h(
      'div',
      { class: 'health' },
      overview && h(NodeLamps, { overview, stale: state.connection !== 'live' }),
      h(Connection, { state }),
    ),
    overview && !overview.reading.complete && h(Partial, { reading: overview.reading }),
  );
}

/** @param {import('./state.js').Node} node */
const nodeText = ({ name, state }) => `${plain(nodeName(name), 60)} ${(NODE_STATES[state] ?? ['unknown'])[0]}`;

function NodeLamps({ overview, stale }) {
  const nodes = [...overview.nodes, ...overview.previousNodes];
  return h(
    'a',
    {
      href: path('nodes'),
      class: 'lamps',
      title: spareText(overview),
      'aria-label': `Nodes: ${nodes.map(nodeText).join(', ')}`,
    },
    nodes.map((node, i) =>
      h(Lamp, { key: i, kind: stale ? 'free' : (NODE_STATES[node.state] ?? ['', 'free'])[1] }),
    ),
  );
}

function Connection({ state }) {
  useNow();
  if (state.connection === 'live')
    return h('span', { class: 'connection good' }, h(Lamp, { kind: 'good', text: 'live' }));
  const old = state.connection === 'lost' ? `, data of ${duration(Math.floor(age() / 1000) * 1000)} ago` : '';
  return h(
    'span',
    { class: 'connection lost' },
    h(Lamp, { kind: 'waiting', text: `${state.problem ? 'refused' : 'reconnecting'}${old}` }),
  );
}

const Partial = ({ reading }) =>
  h(
    'p',
    { class: 'partial', role: 'status' },
    h(Lamp, { kind: 'waiting' }),
    h(
      'span',
      null,
      h(Text, { text: reading.detail || 'Not all locks are shown.', limit: 300 }),
      reading.left > 0 && ` At least ${plural(reading.left, 'lock')} more not shown.`,
    ),
  );

/** Says losses aloud, and not more often than one can hear them. */
function Announcer({ overview }) {
  const before = useRef(overview);
  const [text, setText] = useState('');
  useEffect(() => {
    const lost = before.current && overview ? losses(before.current, overview) : [];
    before.current = overview;
    if (lost.length === 0) return;
    const [{ name, lost: loss, clients }] = lost;
    const next = clients.length > 0 ? `${plain(clients[0].name || clients[0].id, 60)} holds it now` : 'it is free';
    setText(
      `${plain(loss.name || loss.id, 60)} lost the lock ${plain(name, 60)}; ${next}.` +
        (lost.length > 1 ? ` ${plural(lost.length - 1, 'lock')} more lost.` : ''),
    );
  }, [overview]);
  return h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite', id: 'losses' }, text);
}

function useTitle(overview, stale) {
  useEffect(() => {
    if (!overview) return;
    const { held, cycles, overdue } = counts(overview);
    const alarm = [cycles > 0 && plural(cycles, 'cycle'), overdue > 0 && `${overdue} overdue`]
      .filter(Boolean)
      .join(', ');
    document.title = stale ? 'Holdfast' : `${alarm || `${number(held)} held`} · Holdfast`;
  }, [overview, stale]);
}
