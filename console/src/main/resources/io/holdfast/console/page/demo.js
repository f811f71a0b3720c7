// @ts-check
/** What the demo can do to its servers and clients. */
import { command } from './connection.js';
import { nodeName, plain } from './format.js';
import { ClientName, Lamp, Text } from './parts.js';
import { h, useState } from './view.js';

const ACTIONS = { running: ['kill', 'freeze', 'wipe', 'restart'], frozen: ['thaw', 'kill'], killed: ['restart'] };

function useAction() {
  const [problem, setProblem] = useState('');
  const run = async (/** @type {string} */ action, /** @type {string} */ target) =>
    setProblem(await command('api/demo', { action, target }));
  return { run, shown: problem && h('p', { class: 'problem', role: 'alert' }, problem) };
}

export function NodeButtons({ node }) {
  const { run, shown } = useAction();
  return h(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': `Demo: ${plain(nodeName(node.name), 60)}` },
    (ACTIONS[node.demo] ?? []).map((/** @type {string} */ action) =>
      h('button', { key: action, type: 'button', class: 'small', onClick: () => run(action, node.name) }, action),
    ),
    shown,
  );
}

export function Demo({ clients }) {
  const { run, shown } = useAction();
  return h(
    'section',
    { class: 'demo', 'aria-labelledby': 'demo-title' },
    h('h2', { id: 'demo-title' }, 'Clients of the demo'),
    h(
      'p',
      { class: 'muted' },
      'Kill one that holds a lock: its row turns red when the lease ends, and the next client takes over.',
    ),
    h(
      'ul',
      { class: 'demo-clients' },
      clients.map((/** @type {any} */ client) =>
        h(
          'li',
          { key: client.id },
          h(ClientName, { client }),
          client.state === 'killed'
            ? h(Lamp, { kind: 'lost', text: 'killed' })
            : [
                h('span', { class: 'muted doing', key: 'state' }, h(Text, { text: client.state, limit: 60 })),
                h(
                  'button',
                  {
                    key: 'kill',
                    type: 'button',
                    class: 'small',
                    onClick: () => run('kill-client', client.id),
                    'aria-label': `Kill ${plain(client.name, 60)}`,
                  },
                  'kill',
                ),
              ],
        ),
      ),
    ),
    h(
      'p',
      { class: 'buttons' },
      h('button', { type: 'button', onClick: () => run('cycle', '') }, 'Make a cycle'),
      h('button', { type: 'button', onClick: () => run('throw', '') }, 'Let a job fail'),
    ),
    shown,
  );
}
