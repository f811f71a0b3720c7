// @ts-check
/** A dialog that asks for a reason before a command is sent. The browser keeps the focus inside, and Esc closes it. */
import { h, useEffect, useRef, useState } from './view.js';

/**
 * @param {{title: string, action: string, ready?: boolean, send: (reason: string) => Promise<string>,
 *   close: () => void, children?: any}} properties `send` returns the refusal, or nothing
 */
export function Dialog({ title, action, ready = true, send, close, children }) {
  const dialog = useRef(null);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const shown = dialog.current;
    shown.showModal();
    // Closing it returns the focus to where it was; removing it would not.
    return () => shown.close();
  }, []);
  const complete = ready && reason.trim() !== '' && !busy;
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!complete) return;
    setBusy(true);
    const refusal = await send(reason.trim());
    setBusy(false);
    if (refusal) setProblem(refusal);
    else close();
  };
  return h(
    'dialog',
    {
      ref: dialog,
      'aria-labelledby': 'dialog-title',
      onClose: close,
      // What has been sent is carried out: the dialog stays until it can say how that ended.
      onCancel: (/** @type {Event} */ event) => busy && event.preventDefault(),
    },
    h(
      'form',
      { onSubmit: submit },
      h('h2', { id: 'dialog-title' }, title),
      children,
      h(
        'label',
        null,
        h('span', null, 'Reason, which is recorded'),
        h('input', {
          name: 'reason',
          value: reason,
          maxLength: 200,
          autocomplete: 'off',
          onInput: (/** @type {any} */ event) => setReason(event.target.value),
        }),
      ),
      problem && h('p', { class: 'problem', role: 'alert' }, problem),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', 'aria-disabled': String(busy), onClick: () => busy || close() }, 'Cancel'),
        h('button', { type: 'submit', class: 'danger solid', 'aria-disabled': String(!complete) }, action),
      ),
    ),
  );
}
