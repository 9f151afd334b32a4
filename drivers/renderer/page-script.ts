import { ENTITY_SCRIPT } from './entity-script.ts';
import { NO_FLOATING_WINDOW } from './floating-window.ts';
import { wayBackScript } from './way-back.ts';

/** Name of the binding; the script removes it before any script of the page runs. */
export const BINDING = 'sconceBridge';

/** Reports a touch. Messages of Home Assistant's page get a leading space, so that none of its cards can send this. */
export const TOUCH = 'touch';

/** Begins what one of the panel's own pages asks for. */
export const WISH = 'wish:';

/**
 * Hides the dashboard's header with the view tabs (private structure of frontend 20261028; if it differs, the header
 * stays). Parts placed below the header, such as the banner of the overview, read its height from the variable; the
 * padding of the view makes room for that banner.
 */
const HEADER_SHEET =
  ':host{--header-height:0px!important}.header{display:none!important}' +
  '#view{padding-top:calc(var(--safe-area-inset-top,0px) + var(--view-container-padding-top,0px))!important;' +
  'min-height:100vh!important}';
/** Elements with a header: the dashboards, and the overview, whose banner is beside them. */
const HEADED = ['hui-root', 'ha-panel-home'];

/** Hides the pointer; moving a mouse brings it back for this long, in milliseconds. */
const POINTER_SHEET = '*{cursor:none!important}';
const POINTER_MS = 3000;

/** Lets the panel's own pages open the tab for questions; `post` is the one of the script around it. */
const ownPageScript = (ownOrigin: string): string => `if (location.origin === ${JSON.stringify(ownOrigin)})
    window.sconcePanel = Object.freeze({ wants: (word) => post('${WISH}' + String(word)) });`;

/**
 * Runs at the start of every document: reports touches from any frame, and keeps menus, print dialogs, floating windows
 * and an idle pointer away. Only Home Assistant's page in the main frame gets the bridge of an app (seen with Home
 * Assistant 2026.11), and its login a way back to `ownOrigin`; only the panel's own pages get `sconcePanel`.
 */
export const documentStart = (
  origin: string | null,
  ownOrigin: string | null,
  headerHidden: boolean,
): string => `(() => {
  const post = window.${BINDING};
  delete window.${BINDING};
  ${NO_FLOATING_WINDOW}
  if (typeof post !== 'function') return;
  let last = -1000;
  const touched = (event) => {
    if (!event.isTrusted || performance.now() - last < 1000) return;
    last = performance.now();
    post('${TOUCH}');
  };
  for (const type of ['pointerdown', 'keydown', 'wheel']) addEventListener(type, touched, { capture: true, passive: true });
  addEventListener('contextmenu', (event) => event.preventDefault());
  window.print = () => {};
  const everywhere = [];
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function attachShadow(init) {
    const root = attach.call(this, init);
    leaveIn(root);
    // A component sets its own sheets right after this call, which would drop one set here.
    const adopt = (...sheets) => queueMicrotask(() => { root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets]; });
    if (everywhere.length > 0) adopt(...everywhere);
    if (header !== null && ${JSON.stringify(HEADED)}.includes(this.localName)) adopt(header);
    return root;
  };
  let header = null;
  try {
    const still = new CSSStyleSheet();
    const rest = () => still.replaceSync(${JSON.stringify(POINTER_SHEET)});
    rest();
    let timer;
    addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'mouse' || !event.isTrusted) return;
      clearTimeout(timer);
      timer = setTimeout(rest, ${POINTER_MS});
      if (still.cssRules.length > 0) still.replaceSync('');
    }, { capture: true, passive: true });
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still];
    everywhere.push(still);
  } catch {}
  if (window !== window.top) return;
  ${ownOrigin === null ? '' : ownPageScript(ownOrigin)}
  if (location.origin !== ${JSON.stringify(origin)}) return;
  ${ownOrigin === null ? '' : wayBackScript(ownOrigin)}
  window.externalAppV2 = { postMessage: (message) => post(' ' + String(message)) };
  try {
    header = new CSSStyleSheet();
    const hide = (hidden) => header.replaceSync(hidden ? ${JSON.stringify(HEADER_SHEET)} : '');
    hide(${headerHidden});
    addEventListener('sconce-header', (event) => hide(event.detail === true));
  } catch {}
  ${origin === null ? '' : ENTITY_SCRIPT}
})();`;

/** Expression that hides or shows the header of the open page. */
export const headerSwitch = (hidden: boolean): string =>
  `dispatchEvent(new CustomEvent('sconce-header', { detail: ${hidden} }))`;

/**
 * Expression that tells the open page if its Assist button leads to the panel's voice, which it asks once in each load
 * and looks up at each touch of the button. Not true where the structure differs from frontend 20261028.
 */
export const assistSwitch = (hasAssist: boolean): string => `(() => {
  const config = document.querySelector('home-assistant')?.hass?.auth?.external?.config;
  if (typeof config?.hasAssist !== 'boolean') return false;
  config.hasAssist = ${hasAssist};
  return true;
})()`;

/**
 * Applies the theme if the page has not: a frontend that receives its themes before its configuration never applies
 * them (frontend 20261028). A frontend with another structure is left alone.
 */
export const APPLY_THEME = `(() => {
  const app = document.querySelector('home-assistant');
  if (!app?.hass?.config || !app.hass.themes || app.hass.themes.darkMode !== undefined) return;
  app._applyTheme?.(matchMedia('(prefers-color-scheme: dark)').matches);
})()`;

/**
 * Probes the page: its address, and if the dashboard is drawn and its socket open. If the structure differs from
 * frontend 20261028 the value is null, never a failure.
 */
export const PROBE = `(() => {
  const seen = { url: location.href, path: location.pathname, status: 0, showing: null, connected: null, version: null };
  try {
    seen.status = performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0;
    const app = document.querySelector('home-assistant');
    const launching = document.querySelector('#ha-launch-screen') !== null || (app?.shadowRoot?.querySelector('ha-init-page') ?? null) !== null;
    const resolver = app?.shadowRoot?.querySelector('home-assistant-main')?.shadowRoot?.querySelector('partial-panel-resolver');
    if (launching) seen.showing = false;
    else if (resolver) seen.showing = resolver.childElementCount > 0;
    if (typeof app?.hass?.connected === 'boolean') seen.connected = app.hass.connected;
    if (typeof app?.hass?.config?.version === 'string') seen.version = app.hass.config.version.slice(0, 32);
  } catch {}
  return seen;
})()`;

/**
 * Pings Home Assistant over the page's own connection: true once it answered, false if the connection was lost first,
 * null if the frontend has no such call.
 */
export const PING = `(async () => {
  const connection = document.querySelector('home-assistant')?.hass?.connection;
  if (typeof connection?.ping !== 'function') return null;
  try { await connection.ping(); return true; } catch { return false; }
})()`;

/** Address of the page and status of its document. */
export const LOCATION = `({ origin: location.origin, path: location.pathname, status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0 })`;
