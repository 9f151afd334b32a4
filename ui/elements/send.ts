import { t } from '../strings/t.ts';
import type { AskedBeside } from './approval.ts';
import { untilApproved, waitingFor } from './until-approved.ts';

/** A request that was not carried out. */
export interface Refused {
  readonly ok: false;
  readonly status: number;
  /** Stable code of the refusal; empty if the panel gave none. */
  readonly error: string;
  readonly reason: string;
  readonly reasons: Readonly<Record<string, string>>;
  /** Id of the request that waits for a person at the panel. */
  readonly approval?: string;
}

/** The result of a request: the JSON, or the reason in words. */
export type Sent = { readonly ok: true; readonly body: Readonly<Record<string, unknown>> } | Refused;

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  // Checked to be an object on the same line; JSON has no other kinds with fields.
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

const words = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** Parses a response of the panel. */
export async function read(response: Response): Promise<Sent> {
  const body = record(await response.json().catch(() => null));
  const { error: code, approval_id: id } = body;
  // Accepted, but not carried out: a person must approve it at the panel.
  const isAsked = response.status === 202 && code === 'approval-required';
  if (response.ok && !isAsked) return { ok: true, body };
  const message = body['message'];
  const reason = typeof message === 'string' ? message : t('error.unexpected', { status: String(response.status) });
  return {
    ok: false,
    status: response.status,
    error: typeof code === 'string' ? code : '',
    reason,
    reasons: words(body['reasons']),
    ...(isAsked && typeof id === 'string' && { approval: id }),
  };
}

export interface SendOptions {
  /** True lets the request outlive the page. */
  readonly keepalive?: boolean;
  /** Added to its own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For a request that may have to be approved at the panel; without it such an answer counts as a refusal. */
  readonly beside?: AskedBeside;
}

/** Posts JSON to the panel. If a person must approve it there, it waits for them and repeats the request once. */
export async function send(
  path: string,
  body: unknown,
  { keepalive = false, headers = {}, beside }: SendOptions = {},
): Promise<Sent> {
  const text = JSON.stringify(body);
  const sends = (): Promise<Response> =>
    fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: text,
      keepalive,
    });
  return sendBy(`${path} ${text}`, sends, { beside });
}

/**
 * Sends a request that `sends` makes, also again once it was approved; `request` names it, so that one that waits is
 * not sent twice. `take` reads its response; as JSON if absent.
 */
export async function sendBy(
  request: string,
  sends: () => Promise<Response>,
  {
    beside,
    take = read,
  }: { readonly beside: AskedBeside | undefined; readonly take?: (response: Response) => Promise<Sent> },
): Promise<Sent> {
  const same = waitingFor(request);
  if (same !== undefined) return same;
  const post = async (): Promise<Sent> => {
    try {
      return await take(await sends());
    } catch {
      return { ok: false, status: 0, error: '', reason: t('error.unreachable'), reasons: {} };
    }
  };
  const sent = await post();
  if (sent.ok || sent.approval === undefined || beside === undefined) return sent;
  return untilApproved(request, sent, beside, post);
}

/** What the panel says of a request that it carried out; "" if it says nothing. */
export function messageOf(body: Readonly<Record<string, unknown>>): string {
  const { message } = body;
  return typeof message === 'string' ? message : '';
}

/** Why a request was not carried out, for its line: denied at the panel is no failure. */
export const whyNot = ({ error, reason }: Refused): string =>
  error.startsWith('approval-') ? reason : t('controls.failed', { reason });

/** Reads JSON from the panel. */
export async function ask(path: string): Promise<Sent> {
  try {
    return await read(await fetch(path, { headers: { Accept: 'application/json' } }));
  } catch {
    return { ok: false, status: 0, error: '', reason: t('error.unreachable'), reasons: {} };
  }
}

/** Posts YAML text unchanged. */
export async function sendYaml(
  path: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  try {
    return await read(
      await fetch(path, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/yaml' }, body: text }),
    );
  } catch {
    return { ok: false, status: 0, error: '', reason: t('error.unreachable'), reasons: {} };
  }
}

/** Text served by the panel, or the reason for its absence. */
export async function askText(
  path: string,
): Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string }> {
  try {
    const response = await fetch(path);
    if (response.ok) return { ok: true, text: await response.text() };
    const refused = await read(response);
    return {
      ok: false,
      reason: refused.ok ? t('error.unexpected', { status: String(response.status) }) : refused.reason,
    };
  } catch {
    return { ok: false, reason: t('error.unreachable') };
  }
}
