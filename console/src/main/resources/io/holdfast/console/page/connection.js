// @ts-check
/** Keeps the store fresh: by server-sent events, or by asking once a second where the server has none. */
import * as clock from './clock.js';
import { changed, whole } from './state.js';

const PERIOD = 1000;
/** The console sends a message every 5 s at the latest. */
const SILENCE = 12_000;

/** @typedef {ReturnType<typeof import('./state.js').createStore<import('./state.js').State>>} Store */

/** @param {Store} store */
export function connect(store) {
  /** @type {EventSource | null} */
  let source = null;
  let etag = '';
  /** What an earlier attempt still does is over. */
  let attempt = 0;
  /** When the last message came, or the connection was asked for. */
  let heard = 0;

  /** @param {any} message  @param {import('./state.js').Overview} overview */
  function fresh(message, overview) {
    clock.heard(message.time);
    store.set({ overview, connection: 'live', problem: '' });
  }

  function lost(problem = '') {
    clock.freeze();
    store.set({ connection: store.get().overview ? 'lost' : 'connecting', problem });
  }

  function listen() {
    const mine = ++attempt;
    source?.close();
    const opened = (source = new EventSource('api/events'));
    heard = performance.now();
    const on = (/** @type {string} */ type, /** @type {(message: any) => void} */ handle) =>
      opened.addEventListener(type, event => {
        if (mine !== attempt) return;
        heard = performance.now();
        handle(JSON.parse(event.data));
      });
    on('overview', message => {
      clock.forget();
      fresh(message, whole(message));
    });
    on('change', message => {
      const { overview } = store.get();
      if (overview) fresh(message, changed(overview, message));
    });
    on('alive', message => {
      const { overview } = store.get();
      if (overview) fresh(message, overview);
    });
    opened.addEventListener('error', () => {
      if (mine !== attempt) return;
      if (opened.readyState !== EventSource.CLOSED) lost();
      else poll(mine, false);
    });
  }

  /** Asks until the server is gone and back: then it may have events. @param {number} mine  @param {boolean} wasLost */
  async function poll(mine, wasLost) {
    if (mine !== attempt) return;
    source = null;
    try {
      const answer = await fetch('api/overview', {
        headers: etag ? { 'If-None-Match': etag } : {},
        signal: AbortSignal.timeout(5 * PERIOD),
      });
      if (mine !== attempt) return;
      // When it was sent, which may be long after the state was read.
      const time = Number(answer.headers.get('X-Holdfast-Time')) || undefined;
      if (answer.status === 304) {
        const { overview } = store.get();
        if (overview) fresh({ time }, overview);
      } else if (answer.ok) {
        etag = answer.headers.get('ETag') ?? '';
        const message = await answer.json();
        fresh({ time: time ?? message.time }, whole(message));
      } else {
        throw new Error(await refusal(answer));
      }
      if (wasLost) return listen();
      setTimeout(poll, PERIOD, mine, false);
    } catch (/** @type {any} */ problem) {
      if (mine !== attempt) return;
      lost(problem instanceof TypeError || problem instanceof DOMException ? '' : problem.message);
      setTimeout(poll, PERIOD, mine, true);
    }
  }

  /** Nobody looks: then nothing is read. Browsers also open only six connections to one console. */
  function look() {
    if (document.hidden) {
      attempt++;
      source?.close();
      source = null;
      lost();
    } else {
      listen();
    }
  }

  function watch() {
    if (source && performance.now() - heard > SILENCE) {
      lost();
      listen();
    }
  }

  if (!document.hidden) listen();
  setInterval(watch, PERIOD);
  document.addEventListener('visibilitychange', look);
}

/** Sends a command. @param {string} path  @param {object} body  @returns {Promise<string>} the refusal, or nothing */
export async function command(path, body) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Holdfast-Console': '1' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(SILENCE),
    });
    return answer.ok ? '' : await refusal(answer);
  } catch {
    return 'The console cannot be reached. Whether the command has been carried out is not known.';
  }
}

/** One lock in detail. @param {string} name  @param {AbortSignal} signal */
export async function detail(name, signal) {
  const answer = await fetch(`api/lock?name=${encodeURIComponent(name)}`, { signal });
  if (!answer.ok) throw new Error(await refusal(answer));
  return answer.json();
}

/** What the server says of a refusal. @param {Response} answer */
async function refusal(answer) {
  if (answer.status === 401) return 'The token is missing or wrong. Open the address that `holdfast console` printed.';
  try {
    const { title, detail: text } = await answer.json();
    return [title, text].filter(Boolean).join(': ');
  } catch {
    return `The console answered ${answer.status}.`;
  }
}
