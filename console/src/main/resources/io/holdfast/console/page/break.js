// @ts-check
/** Takes a lock away from its holder, after its name has been typed. */
import { command } from './connection.js';
import { Dialog } from './dialog.js';
import { plain } from './format.js';
import { Holder } from './row.js';
import { Text } from './parts.js';
import { h, useState } from './view.js';

export function BreakDialog({ lock, close }) {
  const [typed, setTyped] = useState('');
  // The mark that was seen when the dialog was opened: the console refuses if another client holds the lock by then.
  const [seen] = useState(lock);
  const shown = plain(lock.name, Infinity);
  return h(
    Dialog,
    {
      title: 'Break this lock?',
      action: 'Break the lock',
      close,
      ready: typed === lock.name || typed === shown,
      send: (/** @type {string} */ reason) =>
        command('api/break', {
          name: lock.name,
          holder: seen.holder ?? '',
          clients: seen.clients.map(client => client.id).join(' '),
          confirm: lock.name,
          reason,
        }),
    },
    h('p', { class: 'held-by' }, 'It is held by ', h(Holder, { lock: seen }), '.'),
    h(
      'p',
      null,
      'Only if its holder has ended for certain. One that runs loses its lease at its next renewal; ',
      'until then, two clients may use what the lock protects.',
    ),
    h(
      'label',
      null,
      h('span', null, 'The name of the lock: ', h('strong', null, h(Text, { text: lock.name, limit: 300 }))),
      h('input', {
        name: 'confirm',
        value: typed,
        autocomplete: 'off',
        spellcheck: false,
        onInput: (/** @type {any} */ event) => setTyped(event.target.value),
      }),
    ),
  );
}
