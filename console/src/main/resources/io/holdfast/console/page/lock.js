// @ts-check
/** One lock: who holds it, who waits, what the nodes say, and who held it. */
import { BreakDialog } from './break.js';
import { detail } from './connection.js';
import { duration, nodeName, number } from './format.js';
import { Holders } from './holders.js';
import { path } from './route.js';
import { ENDS, STATES, TimeLeft } from './row.js';
import { At, Badge, ClientName, Empty, Facts, Head, Lamp, LONG, PanelHead, Since, Text } from './parts.js';
import { waiting } from './state.js';
import { h, useEffect, useState } from './view.js';

const REFRESH = 5000;

export function LockDetail({ overview, name, stale, close }) {
  const lock = overview.locks.get(name);
  const { votes, history, problem } = useDetail(name, lock, stale);
  const [breaking, setBreaking] = useState(false);
  return h(
    'aside',
    { class: 'panel', 'aria-labelledby': 'lock-title' },
    h(PanelHead, { kind: 'lock', name, close }),
    !lock && h(Empty, { title: 'No client holds this lock now.' }, h('p', null, 'It appears here when one does.')),
    lock && h(Now, { lock, stale }),
    problem && h('p', { class: 'problem', role: 'alert' }, problem),
    h(Holders, { history, lock }),
    lock && h(Queue, { queue: lock.queue, more: waiting(lock) - lock.queue.length }),
    votes.length > 0 && h(Votes, { votes }),
    history.length > 0 && h(History, { history }),
    lock &&
      overview.mayBreak &&
      (lock.holder || lock.clients.length > 0) &&
      h(
        'p',
        null,
        h('button', { type: 'button', class: 'danger', onClick: () => setBreaking(true) }, 'Break this lock…'),
      ),
    lock && breaking && h(BreakDialog, { key: name, lock, close: () => setBreaking(false) }),
  );
}

/** Asks for what the list does not contain, whenever the row changes and every 5 s. */
function useDetail(name, lock, stale) {
  const [answer, setAnswer] = useState({ name, votes: [], history: [], problem: '' });
  useEffect(() => {
    if (stale) return undefined;
    const stop = new AbortController();
    const ask = () =>
      detail(name, stop.signal).then(
        ({ votes = [], history = [] }) => setAnswer({ name, votes, history, problem: '' }),
        problem =>
          stop.signal.aborted || !lock || setAnswer({ name, votes: [], history: [], problem: problem.message }),
      );
    ask();
    const timer = setInterval(ask, REFRESH);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [name, stale, lock?.state, lock?.holder, lock?.queue.length]);
  return answer.name === name ? answer : { votes: [], history: [], problem: '' };
}

function Now({ lock, stale }) {
  const [state, kind] = STATES[lock.state] ?? STATES.unknown;
  return [
    h('div', { class: 'now', key: 'now' }, h(Badge, { kind }, state), h(TimeLeft, { lock, stale })),
    lock.clients.length > 0 &&
      h(
        'ul',
        { class: 'people', 'aria-label': 'Holders', key: 'holders' },
        lock.clients.map((/** @type {any} */ client, /** @type {number} */ i) =>
          h(
            'li',
            { key: client.id || i },
            h(ClientName, { client }),
            h(Pid, { client }),
            client.since > 0 && h('span', { class: 'muted' }, 'started ', h(At, { time: client.since })),
          ),
        ),
      ),
    h(Facts, {
      key: 'facts',
      facts: [
        [
          'Held since',
          lock.heldSince
            ? [h(At, { time: lock.heldSince, key: 'at' }), ', for ', h(Since, { from: lock.heldSince, key: 'for' })]
            : undefined,
        ],
        ['Token', lock.token],
        ['Lease', lock.leaseMillis > 0 ? duration(lock.leaseMillis) : undefined],
        ['Fingerprint', lock.holder],
        ['Note', lock.note && h(Text, { text: lock.note, limit: LONG })],
        [
          'Last loss',
          lock.lost && [
            h(ClientName, { client: lock.lost, key: 'who' }),
            h('span', { class: 'loss', key: 'end' }, ` ${ENDS[lock.lost.end] ?? 'lost'} `),
            h(At, { time: lock.lost.at, key: 'at' }),
          ],
        ],
      ],
    }),
  ];
}

const Pid = ({ client }) => (client.pid ? h('span', { class: 'muted figure' }, `pid ${client.pid}`) : null);

const Queue = ({ queue, more }) =>
  h(
    'section',
    { 'aria-labelledby': 'queue-title' },
    h('h3', { id: 'queue-title' }, 'Queue'),
    queue.length === 0
      ? h('p', { class: 'muted' }, 'No client waits for this lock.')
      : h(
          'table',
          { class: 'plain' },
          h(Head, { titles: ['#', 'Client', 'Waits for'] }),
          h(
            'tbody',
            null,
            queue.map((/** @type {any} */ client, /** @type {number} */ i) =>
              h(
                'tr',
                { key: client.id || i },
                h('td', { class: 'figure' }, i + 1),
                h('td', null, h(ClientName, { client }), ' ', h(Pid, { client })),
                h('td', { class: 'figure' }, client.since ? h(Since, { from: client.since }) : '–'),
              ),
            ),
          ),
        ),
    more > 0 && h('p', { class: 'muted' }, `… and ${number(more)} more.`),
  );

const Votes = ({ votes }) =>
  h(
    'section',
    { 'aria-labelledby': 'votes-title' },
    h('h3', { id: 'votes-title' }, 'Nodes'),
    h(
      'table',
      { class: 'plain' },
      h(
        'tbody',
        null,
        votes.map((/** @type {any} */ vote, /** @type {number} */ i) =>
          h(
            'tr',
            { key: i },
            h('th', { scope: 'row' }, h(Text, { text: nodeName(vote.node) })),
            h('td', null, h(Text, { text: vote.text, limit: 300 })),
          ),
        ),
      ),
    ),
  );

const History = ({ history }) =>
  h(
    'section',
    { 'aria-labelledby': 'history-title' },
    h('h3', { id: 'history-title' }, 'History'),
    h(
      'table',
      { class: 'plain', 'aria-label': 'Holders, newest first' },
      h(Head, { titles: ['Holder', 'From', 'For', 'End'] }),
      h(
        'tbody',
        null,
        [...history]
          .reverse()
          .slice(0, 50)
          .map((/** @type {any} */ hold, /** @type {number} */ i) =>
            h(
              'tr',
              { key: `${hold.token}-${i}` },
              h('td', null, h(ClientName, { client: { id: hold.id, name: hold.client } })),
              h('td', null, h(At, { time: hold.from })),
              h('td', { class: 'figure' }, hold.to ? duration(hold.to - hold.from) : h(Since, { from: hold.from })),
              h('td', null, hold.to ? h(End, { end: hold.end }) : h(Lamp, { kind: 'held', text: 'holds it' })),
            ),
          ),
      ),
    ),
  );

const End = ({ end }) => h('span', { class: end === 'released' || end === 'unknown' ? '' : 'loss' }, ENDS[end] ?? end);

/** The link of a lock, for other views. */
export const LockLink = ({ name, limit = 60 }) => h('a', { href: path('locks', name) }, h(Text, { text: name, limit }));
