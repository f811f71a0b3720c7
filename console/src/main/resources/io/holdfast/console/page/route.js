// @ts-check
/** The hash is the route: `#/locks/NAME` shows one lock, and can be sent to a colleague. */
import { useEffect, useState } from './view.js';

export const VIEWS = ['locks', 'nodes', 'jobs', 'waits'];

/** @param {string} view  @param {string} [name] */
export const path = (view, name) => (name === undefined ? `#/${view}` : `#/${view}/${encode(name)}`);

/** @param {string} hash  @returns {{view: string, name: string | undefined}} */
export function parse(hash) {
  const [, view = '', name] = /^#\/([a-z]*)(?:\/(.*))?$/s.exec(hash) ?? [];
  return { view: VIEWS.includes(view) ? view : 'locks', name: name === undefined ? undefined : decode(name) };
}

/** @param {string} target */
export function go(target) {
  location.hash = target;
}

export function useRoute() {
  const [route, setRoute] = useState(() => parse(location.hash));
  useEffect(() => {
    const change = () => setRoute(parse(location.hash));
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return route;
}

/** A name may hold half of a pair of surrogates, of which there is no encoding. @param {string} text */
function encode(text) {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  }
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
