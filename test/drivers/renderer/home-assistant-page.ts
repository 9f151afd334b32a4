import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { WebSocketServer } from 'ws';

/** What the page keeps of its talk with the app, readable by scripts of the tests. */
const SCRIPT = `
  const said = [];
  const shown = document.querySelector('#shown');
  let lastId = 0;
  const bus = (type, payload) => window.externalAppV2?.postMessage(JSON.stringify({ type: 'externalBus', payload: { id: ++lastId, type, payload } }));
  window.externalAuthSetToken = (fine, answer) => {
    said.push({ token: fine, answer });
    fetch('/received?' + new URLSearchParams({ fine, token: answer.access_token ?? '', expires: answer.expires_in ?? '', frame: window === top ? 'main' : 'inner' }));
    document.body.dataset.token = String(fine);
    if (fine) bus('frontend/loaded');
    if (fine && window === top) window.connect?.();
  };
  window.externalAuthRevokeToken = (fine) => fetch('/received?revoked=' + fine);
  window.externalBus = (message) => {
    fetch('/received?bus=' + encodeURIComponent(message.command ?? 'result') + '&payload=' + encodeURIComponent(JSON.stringify(message.payload ?? message.result ?? null)));
    if (message.type !== 'command') return;
    let success = true;
    if (message.command === 'navigate') {
      const path = message.payload.path.startsWith('/unknown') ? '/home/overview' : message.payload.path;
      if (message.payload.path.startsWith('/refused')) success = false;
      else history[message.payload.options?.replace ? 'replaceState' : 'pushState'](null, '', path);
    }
    bus0({ id: message.id, type: 'result', success });
  };
  const bus0 = (payload) => window.externalAppV2?.postMessage(JSON.stringify({ type: 'externalBus', payload }));
  bus('config/get');
  bus('connection-status', { event: 'connected' });
  window.externalAppV2?.postMessage(JSON.stringify({ type: 'getExternalAuth', payload: { callback: 'externalAuthSetToken' } }));
  // A page within that wants the token by whatever it finds.
  if (window !== top) {
    const inner = document.body.appendChild(document.createElement('iframe'));
    const request = JSON.stringify({ type: 'getExternalAuth', payload: { callback: 'externalAuthSetToken' } });
    for (const place of [window, inner.contentWindow]) {
      place.externalAuthSetToken = window.externalAuthSetToken;
      try { place.sconceBridge?.(request); } catch {}
      try { place.externalAppV2?.postMessage(request); } catch {}
    }
    fetch('/received?within=asked');
  }
`;

/** The dashboard's outline, as far as the driver looks at it. */
const APP = `
  class Resolver extends HTMLElement {}
  customElements.define('partial-panel-resolver', Resolver);
  class Main extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<partial-panel-resolver><p>tiles</p></partial-panel-resolver>'; } }
  customElements.define('home-assistant-main', Main);
  class Root extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<div class="header">tabs</div><div id="view">view</div>'; } }
  customElements.define('hui-root', Root);
  class App extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<home-assistant-main></home-assistant-main><hui-root></hui-root>'; this.hass = { connected: true, config: { version: '2026.11.0' }, states: null }; }
    _updateHass(change) { this.hass = { ...this.hass, ...change }; }
  }
  customElements.define('home-assistant', App);
`;

/**
 * Connects once it has its token, and subscribes to all states, as Home Assistant's page does; `connection` has of
 * home-assistant-js-websocket 9.7 what the driver uses.
 */
const CONNECTS = `
  const connection = {
    socket: undefined,
    waits: false,
    suspendReconnectUntil() { connection.waits = true; },
    reconnect() { connection.socket.onclose = null; connection.socket.close(); connect(); },
  };
  window.connect = () => {
    const socket = new WebSocket('ws://' + location.host + '/api/websocket');
    socket.onclose = () => setTimeout(connect);
    socket.onopen = () => {
      connection.socket = socket;
      socket.send(JSON.stringify({ id: 1, type: 'subscribe_entities' }));
    };
  };
  document.querySelector('home-assistant').hass.connection = connection;
`;

/** Follows the server as Home Assistant's page follows its socket, and does what it is handed there. */
const BEATS = `
  setInterval(async () => {
    const { hass } = document.querySelector('home-assistant');
    const word = await fetch('/beat').then((answer) => answer.text(), () => null);
    if (hass.connected !== (word !== null)) bus('connection-status', { event: word === null ? 'disconnected' : 'connected' });
    hass.connected = word !== null;
    if (word) (0, eval)(word);
  }, 200);
`;

/** A script that waits that long for one answer, so that it takes the page's only thread and not the processor. */
export const hangsFor = (ms: number): string => `{
  const slow = new XMLHttpRequest();
  slow.open('GET', '/slow?ms=${ms}', false);
  try { slow.send(); } catch {}
}`;

/**
 * A script for a page of the stand-in that never ends, and is ended within 100 ms at the latest. An answer that it is
 * waiting for may take the first attempt to end it; what is about that attempt has a loop of its own.
 */
export const HANGS = `for (;;) ${hangsFor(100)}`;

/** The answer to what `hangsFor` waits for. */
export const answerSlowly = (url: string, response: ServerResponse): void =>
  void setTimeout(() => response.end(), Number(new URL(url, 'http://stand-in').searchParams.get('ms')));

const page = (
  inner: string,
  more: string,
): string => `<!doctype html><meta charset="utf-8"><title>stand-in</title><style>body{margin:0;background:#04a}</style>
<script>${APP}</script><body><home-assistant></home-assistant><p id="shown">dashboard</p>${inner}<script>${SCRIPT}${more}</script>`;

/** A small stand-in for Home Assistant that tells what its page received. */
export interface HomeAssistantPage {
  readonly origin: string;
  /** Query of each report, oldest first. */
  readonly received: URLSearchParams[];
  /** Paths asked for. */
  readonly asked: readonly string[];
  /** What came over WebSockets, each with the path of its connection before it. */
  readonly heard: string[];
  /** While true nothing is answered, as by a frozen server. */
  freeze: (frozen: boolean) => void;
  /** Script for the open page to run; it asks for it only where the stand-in beats. */
  hand: (script: string) => void;
  /** Script that each page at a path runs while it is loaded; "" for none. */
  spoil: (scriptOf: (path: string) => string) => void;
  /** Path of another server's page that is framed into every page; null for none. */
  frame: (url: string | null) => void;
  readonly close: () => Promise<void>;
  readonly listen: () => Promise<void>;
}

/**
 * Starts the stand-in on a free port of the loopback interface; with `beats` its page notices when the server is gone,
 * with `connects` it subscribes to all states. `scripts` are served by their paths.
 */
export async function serveHomeAssistant({
  beats = false,
  connects = false,
  scripts = {},
}: {
  readonly beats?: boolean;
  readonly connects?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
} = {}): Promise<HomeAssistantPage> {
  let handed = '';
  const received: URLSearchParams[] = [];
  const asked: string[] = [];
  let frozen = false;
  let framed: string | null = null;
  let spoiled: (path: string) => string = () => '';
  let port = 0;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    if (url.pathname === '/slow') {
      answerSlowly(url.href, response);
      return;
    }
    asked.push(url.pathname);
    if (frozen) return;
    if (url.pathname === '/received') {
      received.push(url.searchParams);
      response.end();
      return;
    }
    if (url.pathname === '/beat') {
      response.end(handed);
      handed = '';
      return;
    }
    const script = scripts[url.pathname];
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript');
      response.end(script);
      return;
    }
    if (url.pathname === '/returning') {
      // Reloads itself as soon as the server is gone, as Home Assistant's page does; once, since a further reload would
      // end the one before it, on a busy machine again and again.
      response.setHeader('content-type', 'text/html');
      response.end(
        '<!doctype html><p>returning</p><script>const looks = setInterval(() => fetch("/alive").catch(() => { clearInterval(looks); if (!window.gone) { window.gone = true; location.reload(); }; }), 50)</script>',
      );
      return;
    }
    if (url.pathname === '/file') {
      response.setHeader('content-disposition', 'attachment; filename="file.bin"');
      response.end('bytes');
      return;
    }
    response.setHeader('content-type', url.pathname === '/missing' ? 'text/plain' : 'text/html');
    response.statusCode = url.pathname === '/missing' ? 404 : url.pathname === '/broken' ? 500 : 200;
    response.end(
      response.statusCode === 200
        ? page(
            framed === null ? '' : `<iframe src="${framed}"></iframe>`,
            `${beats ? BEATS : ''}${connects ? CONNECTS : ''}${spoiled(url.pathname)}`,
          )
        : 'no',
    );
  };
  const heard: string[] = [];
  let server: Server;
  const listen = async (): Promise<void> => {
    server = createServer(answer).listen(port, '127.0.0.1');
    new WebSocketServer({ server }).on('connection', (socket, { url }) => {
      socket.on('error', () => {});
      socket.on('message', (data, binary) =>
        heard.push(`${url} ${binary || !Buffer.isBuffer(data) ? 'bytes' : data.toString()}`),
      );
    });
    await once(server, 'listening');
    // A server that listens on TCP has an AddressInfo.
    ({ port } = server.address() as AddressInfo);
  };
  await listen();
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    asked,
    heard,
    freeze: (value) => {
      frozen = value;
    },
    hand: (script) => {
      handed = script;
    },
    spoil: (scriptOf) => {
      spoiled = scriptOf;
    },
    frame: (url) => {
      framed = url;
    },
    listen,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
