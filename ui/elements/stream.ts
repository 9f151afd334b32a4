import type { StatusDocument } from '#machines/status.ts';
import type { SimulatedPanel } from '#machines/simulator/events.ts';

type Handler<T> = (value: T) => void;

/** How long a cut may last before the page says so, in milliseconds: a restarted server is back within one second. */
const graceMs = 1_500;

/** Wait before a stream that the browser gave up is opened again, in milliseconds. */
const reopenMs = 3_000;

const statusHandlers = new Set<Handler<StatusDocument>>();
const panelHandlers = new Set<Handler<SimulatedPanel>>();
const linkHandlers = new Set<Handler<boolean>>();

let source: EventSource | undefined;
let latest: StatusDocument | undefined;
let live: boolean | undefined;
let graceTimer: number | undefined;
let reopenTimer: number | undefined;

const setLive = (value: boolean): void => {
  window.clearTimeout(graceTimer);
  graceTimer = undefined;
  if (value === live) return;
  live = value;
  for (const handler of linkHandlers) handler(value);
};

/** Hands a status to every part of the page, wherever it came from. */
export const take = (status: StatusDocument): void => {
  latest = status;
  for (const handler of statusHandlers) handler(status);
};

/** Follows the status; a status that is already known comes at once. */
export const onStatus = (handler: Handler<StatusDocument>): void => {
  statusHandlers.add(handler);
  if (latest !== undefined) handler(latest);
};

/** Follows the simulated panel's hardware, where the stream carries it. */
export const onPanel = (handler: Handler<SimulatedPanel>): void => {
  panelHandlers.add(handler);
};

/** Follows whether the page is live. */
export const onLink = (handler: Handler<boolean>): void => {
  linkHandlers.add(handler);
};

/** The newest status of the stream; undefined before the first. */
export const latestStatus = (): StatusDocument | undefined => latest;

const open = (): void => {
  window.clearTimeout(reopenTimer);
  source?.close();
  const opened = new EventSource('/api/v1/events');
  source = opened;
  // The panel's own server writes these events with the types named here.
  opened.addEventListener('status', (event) => {
    setLive(true);
    take(JSON.parse((event as MessageEvent<string>).data) as StatusDocument);
  });
  opened.addEventListener('simulator', (event) => {
    const panel = JSON.parse((event as MessageEvent<string>).data) as SimulatedPanel;
    for (const handler of panelHandlers) handler(panel);
  });
  opened.addEventListener('open', () => setLive(true));
  opened.addEventListener('error', () => {
    graceTimer ??= window.setTimeout(() => setLive(false), graceMs);
    // A refused stream is not tried again by the browser.
    if (opened.readyState === EventSource.CLOSED) reopenTimer = window.setTimeout(open, reopenMs);
  });
};

/** Opens the one stream of this page; it is closed with the page and opened again when the page comes back. */
export const startStream = (): void => {
  open();
  window.addEventListener('pagehide', () => {
    source?.close();
    window.clearTimeout(reopenTimer);
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) open();
  });
};
