import type { StatusDocument } from '#machines/status.ts';
import type { StatusChange } from '#machines/status/compare.ts';

/** Delay before reopening a stream that the browser gave up on, in milliseconds. */
const reopenMs = 3_000;

/** Handlers for the panel's status. */
export interface StatusFollower {
  /** The keys of `changed` are the sections that differ from the previous status; undefined if all may differ. */
  readonly take: (status: StatusDocument, changed?: object) => void;
  /** The stream is open. */
  readonly opened?: () => void;
  /** The stream was cut or could not be opened; it is retried. */
  readonly cut?: () => void;
}

/** A status with the revision of its event. */
interface Known {
  readonly revision: number;
  readonly status: StatusDocument;
}

/** The status after a change; null if an event was missed and a whole status is needed. */
const afterChange = (known: Known | undefined, change: StatusChange): Known | null =>
  known === undefined || change.revision !== known.revision + 1
    ? null
    : {
        revision: change.revision,
        status: Object.assign({}, known.status, change.sections, { taken_at: change.taken_at }),
      };

/**
 * Follows the panel's status while the page is visible: a hidden page has no stream, and starts with a whole status
 * when it is visible again.
 */
export function followStatus({ take, opened, cut }: StatusFollower): void {
  let source: EventSource | undefined;
  let reopening: number | undefined;
  const close = (): void => {
    window.clearTimeout(reopening);
    source?.close();
    source = undefined;
  };
  const open = (): void => {
    close();
    const own = new EventSource('/api/v1/events');
    source = own;
    let known: Known | undefined;
    const remember = (next: Known, changed?: object): void => {
      known = next;
      take(next.status, changed);
    };
    // The panel's own server writes these events with the types named here.
    own.addEventListener('status', (event) => {
      const { data, lastEventId } = event as MessageEvent<string>;
      opened?.();
      remember({ revision: Number(lastEventId), status: JSON.parse(data) as StatusDocument });
    });
    own.addEventListener('change', (event) => {
      const change = JSON.parse((event as MessageEvent<string>).data) as StatusChange;
      const next = afterChange(known, change);
      if (next === null) open();
      else remember(next, change.sections);
    });
    own.addEventListener('open', () => opened?.());
    own.addEventListener('error', () => {
      cut?.();
      // Browsers do not retry a refused stream.
      if (own.readyState === EventSource.CLOSED) reopening = window.setTimeout(open, reopenMs);
    });
  };
  const syncVisibility = (): void => {
    if (document.hidden) close();
    else if (source === undefined) open();
  };
  document.addEventListener('visibilitychange', syncVisibility);
  window.addEventListener('pagehide', close);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) syncVisibility();
  });
  syncVisibility();
}
