// @ts-check
/** Starts the page. */
import { App } from './app.js';
import { connect } from './connection.js';
import { NOTHING, createStore } from './state.js';
import { h, render } from './view.js';

const store = createStore(NOTHING);
connect(store);
const place = /** @type {HTMLElement} */ (document.getElementById('page'));
place.replaceChildren();
render(h(App, { store }), place);
