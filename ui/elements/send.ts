import { t } from '../strings/t.ts';

/** The result of a request: the JSON, or the reason in words. */
export type Sent =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly status: number;
      /** Stable code of the refusal; empty if the panel gave none. */
      readonly error: string;
      readonly reason: string;
      readonly reasons: Readonly<Record<string, string>>;
    };

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
  if (response.ok) return { ok: true, body };
  const message = body['message'];
  const reason = typeof message === 'string' ? message : t('error.unexpected', { status: String(response.status) });
  const error = typeof body['error'] === 'string' ? body['error'] : '';
  return { ok: false, status: response.status, error, reason, reasons: words(body['reasons']) };
}

/** Posts JSON to the panel; `keepalive` lets the request outlive the page, `headers` are added to its own. */
export async function send(
  path: string,
  body: unknown,
  keepalive = false,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  try {
    return await read(
      await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
        keepalive,
      }),
    );
  } catch {
    return { ok: false, status: 0, error: '', reason: t('error.unreachable'), reasons: {} };
  }
}

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
