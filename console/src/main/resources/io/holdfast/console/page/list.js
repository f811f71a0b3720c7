// @ts-check
/** Renders only those rows of a long list that can be seen. */
import { useLayoutEffect, useState } from './view.js';

const BEYOND = 8;

/**
 * @param {{current: HTMLElement | null}} frame the element that scrolls
 * @param {number} count
 * @param {number} height of a row
 */
export function useWindow(frame, count, height) {
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [frame.current]);
  const last = Math.min(count, Math.ceil((view.top + view.height) / height) + BEYOND);
  const first = Math.max(0, Math.min(Math.floor(view.top / height) - BEYOND, last));
  return { first, last, above: first * height, below: (count - last) * height };
}

/** Whether a media query holds. @param {string} query */
export function useMedia(query) {
  const [holds, setHolds] = useState(matchMedia(query).matches);
  useLayoutEffect(() => {
    const list = matchMedia(query);
    const change = () => setHolds(list.matches);
    list.addEventListener('change', change);
    return () => list.removeEventListener('change', change);
  }, [query]);
  return holds;
}

/** The width of an element, for charts that are drawn to scale. @param {{current: HTMLElement | null}} frame */
export function useWidth(frame) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [frame.current]);
  return width;
}
