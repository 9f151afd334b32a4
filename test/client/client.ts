// What a program that talks to a panel looks like: client.ts AGENT SOUND. `api.ts` is made from the OpenAPI document of
// a running agent, and is not committed; run.mjs makes it, compiles this and runs it.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const [baseUrl = '', sound = ''] = process.argv.slice(2);
type Status = components['schemas']['Status'];

/** What the event `change` of the live stream carries. */
interface Change {
  readonly revision: number;
  readonly taken_at: number;
  readonly sections: Partial<Status>;
}

const client = createClient<paths>({ baseUrl });

async function status() {
  const { data, error } = await client.GET('/api/v1/status');
  assert.ok(data !== undefined, `refused: ${error?.error}`);
  return data;
}

/** Waits until the newest announcement is heard, and is the one after `before` others. */
async function heard(before: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; ;) {
    const { announcement } = await status();
    assert.notEqual(announcement?.phase, 'failed', announcement?.detail);
    if (announcement?.phase === 'playing' && announcement.generation === before + 1) return;
    assert.ok(Date.now() < deadline, `not playing after ten seconds, but ${announcement?.phase}`);
  }
}

const cases: Readonly<Record<string, () => Promise<void>>> = {
  'reads the status': async () => {
    const { state, sentence, screen } = await status();
    assert.ok(['ok', 'needs_you', 'unavailable'].includes(state), state);
    assert.ok(sentence.length > 0);
    assert.ok(screen !== null);
  },
  'saves a setting and reads it back': async () => {
    const { data: saved } = await client.POST('/api/v1/config', { body: { friendly_name: 'Hall' } });
    assert.ok(saved !== undefined);
    const { data } = await client.GET('/api/v1/config');
    assert.equal(data?.friendly_name, 'Hall');
  },
  'is told why a setting is refused': async () => {
    const { data, error, response } = await client.POST('/api/v1/config', { body: { volume_limit_percent: 1000 } });
    assert.equal(data, undefined);
    assert.equal(response.status, 400);
    assert.equal(error?.ok, false);
    assert.equal(error?.error, 'invalid-config');
  },
  'follows the live status': async () => {
    const stop = new AbortController();
    const response = await fetch(`${baseUrl}/api/v1/events`, { signal: stop.signal });
    assert.ok(response.body !== null);
    let known: Status | undefined;
    let revision = 0;
    let text = '';
    const wanted = (await status()).volume?.percent === 21 ? 22 : 21;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const [, name, json] = /^event: (.*)\ndata: (.*)$/m.exec(event) ?? [];
        if (name === 'status') {
          revision = Number(/^id: (.*)$/m.exec(event)?.[1]);
          known = JSON.parse(json ?? '') as Status;
          await client.POST('/api/v1/action', { body: { a: 'volume', value: wanted } });
        }
        if (name === 'change') {
          const change = JSON.parse(json ?? '') as Change;
          assert.equal(change.revision, revision + 1);
          revision = change.revision;
          assert.ok(known !== undefined);
          known = Object.assign(known, change.sections);
        }
      }
      if (known?.volume?.percent === wanted) break;
    }
    stop.abort();
    assert.equal(known?.volume?.percent, wanted);
  },
  'plays a sound, its address as JSON': async () => {
    const before = (await status()).announcement?.generation ?? 0;
    const { data } = await client.POST('/api/v1/play', { body: { url: sound }, parseAs: 'text' });
    assert.equal(data, JSON.stringify({ ok: true, generation: before + 1, state: 'queued' }));
    await heard(before);
  },
  'plays a sound, its address as text': async () => {
    const before = (await status()).announcement?.generation ?? 0;
    const { data } = await client.POST('/api/v1/play', {
      body: sound,
      bodySerializer: String,
      headers: { 'Content-Type': 'text/plain' },
      parseAs: 'text',
    });
    assert.equal(data, 'playing\n');
    await heard(before);
  },
};

for (const [name, run] of Object.entries(cases)) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`failed: ${name} | ${error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error)}`);
  }
}
