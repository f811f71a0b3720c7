// @ts-check
/**
 * The view library. Two classic scripts have loaded it: its modules import each other by a bare name, which would need
 * an inline import map, and the security policy forbids that.
 */
const { preact, preactHooks } = /** @type {any} */ (globalThis);

export const { h, render } = preact;
export const { useEffect, useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } = preactHooks;
