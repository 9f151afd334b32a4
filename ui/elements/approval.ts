import { Asking } from '../parts/asking.tsx';
import { t } from '../strings/t.ts';
import type { Refused, Sent } from './send.ts';
import { type LookedAt, watchApproval } from './watch-approval.ts';

/** Where a request shows that it waits for a person at the panel, and what else it needs then. */
export interface AskedBeside {
  /** The line of its results; called as soon as the panel asks, so that what belongs to the request is drawn first. */
  readonly line: () => Element | null;
  /** The button that sent it, which is busy meanwhile. */
  readonly button?: HTMLElement | null;
  /**
   * For a request that the approval itself carries out: once it no longer waits, what is in force as the body of the
   * answer, or null if it was not carried out.
   */
  readonly inForce?: () => Promise<Readonly<Record<string, unknown>> | null>;
}

/** Waits for the answer of a person at the panel, then repeats the request once if it was approved. */
export type FollowApproval = (first: Refused, beside: AskedBeside, repeat: () => Promise<Sent>) => Promise<Sent>;

async function lookAt(id: string): Promise<LookedAt> {
  try {
    const response = await fetch(`/api/v1/approvals/${id}`);
    // Forgotten by a restart, or this browser has another address now.
    if (response.status === 404) return 'absent';
    if (!response.ok) return null;
    const { state } = (await response.json()) as { readonly state?: unknown };
    return state === 'pending' || state === 'approved' || state === 'absent' ? state : null;
  } catch {
    return null;
  }
}

/** Keeps `button` from being pressed or redrawn; returns what ends that. */
function keepBusy(button: HTMLElement | null): () => void {
  if (!(button instanceof HTMLButtonElement)) return () => {};
  const wasKept = button.hasAttribute('data-keep');
  button.disabled = true;
  button.setAttribute('aria-busy', 'true');
  button.setAttribute('data-keep', '');
  return () => {
    button.disabled = false;
    button.removeAttribute('aria-busy');
    if (!wasKept) button.removeAttribute('data-keep');
  };
}

/** Shows in `line` that the panel asks; returns what removes it. */
function showAsking(line: Element | null, message: string, giveUp: () => void): () => void {
  const isNowhere = document.documentElement.dataset['askedAt'] === 'none';
  const template = document.createElement('template');
  template.innerHTML = String(Asking({ words: isNowhere ? message : '' }));
  const shown = template.content.firstElementChild;
  if (line === null || shown === null) return () => {};
  shown.querySelector('[data-give-up]')?.addEventListener('click', giveUp);
  line.classList.remove('refused');
  line.textContent = '';
  line.appendChild(shown);
  shown.scrollIntoView({ block: 'nearest' });
  return () => shown.remove();
}

const refused = (error: string, reason: string): Sent => ({ ok: false, status: 202, error, reason, reasons: {} });

/** What waits for an approval, loaded at the first request that needs one. */
export const followApproval: FollowApproval = async (first, { line, button = null, inForce }, repeat) => {
  const { approval: id, reason } = first;
  if (id === undefined) return first;
  const leaving = new AbortController();
  const giveUp = (): void => leaving.abort();
  window.addEventListener('pagehide', giveUp);
  const hide = showAsking(line(), reason, giveUp);
  const release = keepBusy(button);
  try {
    const end = await watchApproval(() => lookAt(id), leaving.signal);
    if (end === 'given-up') return refused('approval-given-up', t('approval.given_up'));
    if (end === 'approved') return await repeat();
    const body = (await inForce?.()) ?? null;
    return body === null ? refused('approval-absent', t('approval.absent')) : { ok: true, body };
  } finally {
    window.removeEventListener('pagehide', giveUp);
    release();
    hide();
  }
};
