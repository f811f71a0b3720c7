// @ts-check
/** The nodes: who votes, who does not and why, and how many more may fail. */
import { Demo, NodeButtons } from './demo.js';
import { Dialog } from './dialog.js';
import { command } from './connection.js';
import { nodeName, plain } from './format.js';
import { Empty, Lamp, Left, Text } from './parts.js';
import { h, useEffect, useRef, useState } from './view.js';

/** What the state of a node is called, and its lamp. */
export const NODE_STATES = {
  votes: ['votes', 'good'],
  quarantined: ['quarantine', 'quarantine'],
  unreachable: ['unreachable', 'lost'],
  refused: ['not accepted', 'waiting'],
  closed: ['closed to this client', 'waiting'],
};

/** What may still fail, in a sentence. @param {import('./state.js').Overview} overview */
export function spareText({ nodes, previousNodes, spareVotes, source }) {
  const change = previousNodes.length > 0;
  const who = change
    ? `${voting(nodes)} nodes vote, and ${voting(previousNodes)} of the previous set.`
    : voters(nodes);
  const needed = change ? 'a majority of each set is needed' : `${source.majority} votes are needed`;
  if (spareVotes < 0) return `${who} No lock can be acquired: ${needed}.`;
  if (spareVotes === 0) return `${who} None may fail now: ${needed}.`;
  const more = [...nodes, ...previousNodes].every(votes) ? '' : ' more';
  return `${who} ${spareVotes === 1 ? 'One' : spareVotes}${more}${change ? ' of each set' : ''} may fail.`;
}

/** @param {import('./state.js').Node} node */
const votes = ({ state }) => state === 'votes';

/** @param {import('./state.js').Node[]} nodes */
const voting = nodes => `${nodes.filter(votes).length} of ${nodes.length}`;

/** @param {import('./state.js').Node[]} nodes */
function voters(nodes) {
  if (!nodes.every(votes)) return `${voting(nodes)} nodes vote.`;
  return nodes.length === 1 ? 'The only node votes.' : `All ${nodes.length} nodes vote.`;
}

export function Nodes({ overview, stale }) {
  const [admitting, setAdmitting] = useState(false);
  const { nodes, previousNodes, spareVotes, mayAdmit, demo } = overview;
  const kept = nodes.some((/** @type {any} */ node) => node.state === 'quarantined');
  return h(
    'section',
    { class: 'scroll page', 'aria-labelledby': 'nodes-title' },
    h('h1', { id: 'nodes-title' }, 'Nodes'),
    nodes.length > 0
      ? h(
          'p',
          { class: `spare ${spareVotes > 0 ? 'good' : spareVotes === 0 ? 'waiting' : 'lost'}` },
          spareText(overview),
        )
      : h(
          Empty,
          { title: 'No node is known.' },
          h(
            'p',
            null,
            'Name them: ',
            h('code', null, 'holdfast console --nodes redis://a:6379,redis://b:6379,redis://c:6379'),
          ),
        ),
    h(Cards, { nodes, demo, stale }),
    previousNodes.length > 0 && h('h2', null, 'Previous set'),
    previousNodes.length > 0 && h(Cards, { nodes: previousNodes, demo: false, stale }),
    mayAdmit &&
      kept &&
      h('p', null, h('button', { type: 'button', onClick: () => setAdmitting(true) }, 'Admit the nodes…')),
    admitting &&
      h(
        Dialog,
        {
          title: 'Admit the nodes?',
          action: 'Admit',
          close: () => setAdmitting(false),
          send: (/** @type {string} */ reason) => command('api/admit', { reason }),
        },
        h(
          'p',
          null,
          'Only if these servers never held a lock of a running client. Otherwise two clients may hold one lock.',
        ),
      ),
    demo && h(Demo, { clients: overview.demoClients }),
  );
}

function Cards({ nodes, demo, stale }) {
  const latencies = useLatencies(nodes);
  return h(
    'ul',
    { class: 'cards' },
    nodes.map((/** @type {any} */ node) =>
      h(NodeCard, { key: node.name, node, latencies: latencies.get(node.name) ?? [], demo, stale }),
    ),
  );
}

function NodeCard({ node, latencies, demo, stale }) {
  const [state, kind] = NODE_STATES[node.state] ?? [plain(node.state), 'free'];
  return h(
    'li',
    { class: `card ${kind}` },
    h('h2', null, h(Text, { text: nodeName(node.name) })),
    h(Lamp, { kind: stale ? 'free' : kind, text: stale ? `${state}, when last seen` : state }),
    node.quarantineEnds > 0 &&
      node.state === 'quarantined' &&
      h(
        'p',
        { class: 'countdown', role: 'timer' },
        h('span', { class: 'muted' }, 'votes again in '),
        h(Left, { to: node.quarantineEnds }),
      ),
    node.cause && h('p', { class: 'cause' }, h(Text, { text: node.cause, limit: 400 })),
    node.state !== 'unreachable' &&
      node.latencyMillis !== undefined &&
      h(
        'div',
        { class: 'latency' },
        h(
          'span',
          null,
          h('span', { class: 'muted' }, 'replies within '),
          h('span', { class: 'figure' }, `${node.latencyMillis.toFixed(node.latencyMillis < 10 ? 1 : 0)} ms`),
        ),
        h(Spark, { values: latencies }),
      ),
    demo && h(NodeButtons, { node }),
  );
}

const KEPT = 60;

/** The last latencies that this page has seen of each node. @param {any[]} nodes */
function useLatencies(nodes) {
  const seen = useRef(new Map());
  useEffect(() => {
    for (const node of nodes) {
      if (node.latencyMillis === undefined) continue;
      const own = seen.current.get(node.name) ?? [];
      seen.current.set(node.name, [...own, node.latencyMillis].slice(-KEPT));
    }
  }, [nodes]);
  return seen.current;
}

/** @param {{values: number[]}} properties */
function Spark({ values }) {
  if (values.length < 2) return null;
  const top = Math.max(1, ...values);
  const points = values.map((value, i) => `${(i + KEPT - values.length) * 2} ${22 - (value / top) * 20}`);
  return h(
    'svg',
    { class: 'spark', viewBox: `0 0 ${(KEPT - 1) * 2} 24`, width: 118, height: 24, 'aria-hidden': 'true' },
    h('path', { d: `M${points.join('L')}` }),
  );
}
