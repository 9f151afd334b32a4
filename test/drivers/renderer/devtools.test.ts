import { PassThrough } from 'node:stream';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { devTools, type DevToolsEvent } from '#drivers/renderer/devtools.ts';

function open() {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  const events: DevToolsEvent[] = [];
  const broken = vi.fn<() => void>();
  const tools = devTools(toBrowser, fromBrowser, (event) => events.push(event), broken);
  const sent = (): readonly { readonly id: number; readonly method: string; readonly sessionId?: string }[] =>
    String(toBrowser.read() ?? '')
      .split('\0')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text));
  return { tools, fromBrowser, events, broken, sent };
}

describe('the protocol over the pipe', () => {
  afterEach(() => void vi.useRealTimers());

  test('puts messages together that come in pieces, and takes several at once', async () => {
    const { tools, fromBrowser, events, sent } = open();
    const answer = tools.call('Browser.getVersion');
    const [request] = sent();
    const answered = JSON.stringify({ id: request?.id, result: { product: 'Ünseen/1' } });
    const bytes = Buffer.from(`${answered}\0{"method":"A.b","params":{"n":1},"sessionId":"s"}\0not json\0{"method":`);
    // Cut within the two bytes of a letter.
    const cut = bytes.indexOf(0xc3) + 1;
    fromBrowser.write(bytes.subarray(0, cut));
    fromBrowser.write(bytes.subarray(cut));
    fromBrowser.write('"C.d"}\0');
    expect(await answer).toEqual({ ok: true, value: { product: 'Ünseen/1' } });
    await vi.waitFor(() => expect(events).toHaveLength(2));
    expect(events).toEqual([
      { method: 'A.b', params: { n: 1 }, session: 's' },
      { method: 'C.d', params: undefined, session: null },
    ]);
  });

  test('refuses what the browser refuses, does not answer, or loses', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { tools, fromBrowser, sent } = open();
    const refused = tools.call('Nope');
    fromBrowser.write(`${JSON.stringify({ id: sent()[0]?.id, error: { code: -32601, message: 'no such method' } })}\0`);
    expect(await refused).toMatchObject({ ok: false, reason: 'refused' });
    const late = tools.call('Page.navigate', {}, { session: 's', withinMs: 100 });
    vi.advanceTimersByTime(100);
    expect(await late).toMatchObject({ ok: false, reason: 'timeout' });
    const crashed = tools.call('Runtime.evaluate', {}, { session: 's' });
    const elsewhere = tools.call('Browser.getVersion');
    tools.dropSession('s');
    expect(await crashed).toMatchObject({ ok: false, reason: 'crashed' });
    tools.close();
    expect(await elsewhere).toMatchObject({ ok: false, reason: 'closed' });
    expect(await tools.call('Browser.getVersion')).toMatchObject({ ok: false, reason: 'closed' });
  });

  test('gives up a browser that sends without end', async () => {
    const { tools, fromBrowser, broken } = open();
    const waiting = tools.call('Page.captureScreenshot', {}, { withinMs: 60_000 });
    const chunk = Buffer.alloc(8 * 1024 * 1024, 'x');
    for (let turn = 0; turn < 7; turn += 1) fromBrowser.write(chunk);
    expect(await waiting).toMatchObject({ ok: false, reason: 'closed' });
    expect(broken).toHaveBeenCalledTimes(1);
  });
});
