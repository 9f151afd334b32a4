import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';

import { ANSWER_MS } from '#drivers/home-assistant/bounded.ts';
import { homeAssistantConnection } from '#drivers/home-assistant/connection.ts';
import { createTurnChannel, OVERDUE_MS, type TurnWords } from '#drivers/voice/turn-channel.ts';
import type { AssistTurn, ConnectionFact } from '#machines/home-assistant/events.ts';
import { type AssistRun, type FakeAssist, runStart, withAssist } from '#test/fakes/assist-server.ts';
import { isFact, runDriver } from '../run-driver.ts';
import { type FakeHomeAssistant, startFakeHomeAssistant } from '../sign-in/fake-home-assistant.ts';

type Message = Readonly<Record<string, unknown>>;
type TurnFact = Extract<ConnectionFact, { readonly type: 'socket.turn' }>['fact'];

const LEAD_IN = 25_600;
/** 64 ms. */
const FRAME = Buffer.alloc(2048, 1);
const plain: AssistTurn = { turn: 4, pipelineId: null, deviceId: null, conversationId: null };

let home: FakeHomeAssistant;
let assist: FakeAssist;
let ends: (() => void)[] = [];

/** An account that is no administrator: its subscriptions would be refused. */
function converse({ id, type }: Message, socket: WebSocket): void {
  const answers = new Map<unknown, unknown>([
    ['get_config', { state: 'RUNNING' }],
    ['auth/current_user', { id: 'u', is_admin: false }],
  ]);
  const send = (message: unknown): void => socket.send(JSON.stringify(message));
  if (type === 'auth') send({ type: 'auth_ok', ha_version: '2026.11.0' });
  else if (type === 'ping') send({ id, type: 'pong' });
  else if (answers.has(type)) send({ id, type: 'result', success: true, result: answers.get(type) });
  else send({ id, type: 'result', success: false, error: { code: 'unauthorized', message: 'marker' } });
}

beforeEach(async () => {
  home = await startFakeHomeAssistant();
  assist = withAssist(home, converse);
});
afterEach(async () => {
  for (const end of ends) end();
  ends = [];
  vi.useRealTimers();
  await home.stop();
});

/** A live connection with the channel of its turns. */
async function connect(hasChannel = true) {
  let late = 0;
  const elapsed = (): number => performance.now() + late;
  const channel = createTurnChannel(elapsed);
  const words: (TurnWords | null)[] = [];
  channel.onWords((said) => void words.push(said));
  const driver = runDriver(
    homeAssistantConnection({
      readToken: () => Promise.resolve({ ok: true, token: 'x', origin: home.origin }),
      trustFor: () => Promise.resolve(undefined),
      elapsed,
      now: () => 9,
      isInForce: () => true,
      onRoute: () => {},
      ...(hasChannel && { channel }),
    }),
    { generation: 3, forceToken: false },
  );
  ends.push(driver.stop);
  await driver.until(isFact('socket.live'));
  const told = (): readonly TurnFact[] =>
    driver.facts.flatMap((fact) => (fact.type === 'socket.turn' ? [fact.fact] : []));
  return {
    ...driver,
    channel,
    words,
    begin: (turn: Partial<AssistTurn> = {}) => driver.tell({ type: 'socket.begin-turn', ...plain, ...turn }),
    cancel: (turn = 4) => driver.tell({ type: 'socket.cancel-turn', turn }),
    /** What was reported, without the turn and the times. */
    told: () => told().map(({ turn: _turn, at: _at, ...fact }) => fact),
    types: () => told().map(({ type }) => type.replace('assist.', '')),
    said: (type: TurnFact['type'], turn = 4) =>
      driver.until(isFact('socket.turn', ({ fact }) => fact.type === type && fact.turn === turn)),
    /** Resolves once Home Assistant has answered what came before, and its answers were read. */
    roundTrip: async () => {
      const from = driver.facts.length;
      driver.tell({ type: 'socket.ask-running' });
      await driver.until(isFact('socket.running'), from);
    },
    pass: (ms: number) => {
      late += ms;
      vi.advanceTimersByTime(ms);
    },
  };
}
type Connected = Awaited<ReturnType<typeof connect>>;

const theRun = (at = 0): Promise<AssistRun> =>
  vi.waitFor(() => {
    const run = assist.runs[at];
    if (run === undefined) throw new Error('no run yet');
    return run;
  });
const bytesOf = (run: AssistRun): number => run.frames.reduce((sum, { length }) => sum + length, 0);
const unsubscribed = (): readonly unknown[] =>
  home.messages.filter(({ type }) => type === 'unsubscribe_events').map(({ subscription }) => subscription);

/** A turn that listens: its run has begun, and one frame was heard. */
async function listening(connected?: Connected, turn: Partial<AssistTurn> = {}) {
  const panel = connected ?? (await connect());
  const number = turn.turn ?? 4;
  const at = assist.runs.length;
  panel.channel.begin(number, () => {});
  panel.begin(turn);
  panel.channel.write(number, FRAME);
  await panel.said('assist.started', number);
  const run = await theRun(at);
  await vi.waitFor(() => expect(run.frames).toHaveLength(2));
  return { panel, run };
}
const intentEnd = (speech: unknown, more: Message = {}) => ({
  processed_locally: true,
  intent_output: {
    response: { speech: { plain: { speech } }, response_type: 'action_done' },
    conversation_id: 'c2',
    continue_conversation: false,
    ...more,
  },
});
const ttsEnd = (url: unknown) => ({ tts_output: { media_id: 'm', token: 't.mp3', url, mime_type: 'audio/mpeg' } });

describe('a turn of assist', () => {
  it('asks for one run with what is known, sends silence first, and reports its stages without a word', async () => {
    const { panel, run } = await listening(undefined, { pipelineId: 'p2', deviceId: 'd1', conversationId: 'c1' });
    const { id: _, ...command } = run.command;
    expect(command).toEqual({
      type: 'assist_pipeline/run',
      start_stage: 'stt',
      end_stage: 'tts',
      timeout: 120,
      input: { sample_rate: 16_000 },
      pipeline: 'p2',
      device_id: 'd1',
      conversation_id: 'c1',
    });
    expect(run.frames.map(({ length }) => length)).toEqual([LEAD_IN, FRAME.length]);
    expect(run.frames[0]?.every((byte) => byte === 0)).toBe(true);
    run.emit('stt-start', { engine: 'stt.one', metadata: {} });
    run.emit('stt-vad-start', { timestamp: 1050 });
    run.emit('stt-vad-end', { timestamp: 2390 });
    run.emit('stt-end', { stt_output: { text: 'marker light' } });
    run.emit('intent-start', { engine: 'conversation.home_assistant', intent_input: 'marker light' });
    run.emit('intent-progress', { chat_log_delta: { content: 'marker' } });
    run.emit('intent-end', intentEnd('marker done', { continue_conversation: true }));
    run.emit('tts-start', { engine: 'tts.one', tts_input: 'marker done' });
    run.emit('tts-end', ttsEnd('/api/tts_proxy/t.mp3'));
    run.end();
    await panel.said('assist.ended');
    expect(panel.told()).toEqual([
      { type: 'assist.started' },
      { type: 'assist.speech-began' },
      { type: 'assist.speech-ended' },
      { type: 'assist.understood' },
      { type: 'assist.decided', conversationId: 'c2', continues: true },
      { type: 'assist.answered', url: `${home.origin}/api/tts_proxy/t.mp3` },
      { type: 'assist.ended' },
    ]);
    expect(panel.words).toEqual([
      null,
      { turn: 4, heard: 'marker light', answer: null },
      { turn: 4, heard: 'marker light', answer: 'marker done' },
    ]);
    expect(JSON.stringify(panel.facts)).not.toContain('marker');
    expect(assist.errors).toEqual([]);
  });

  it('names neither a pipeline nor a device nor a conversation that it does not know', async () => {
    const { run } = await listening();
    expect(Object.keys(run.command).toSorted()).toEqual(['end_stage', 'id', 'input', 'start_stage', 'timeout', 'type']);
  });

  it.each([['stt-vad-end'], ['stt-end'], ['error'], ['run-end']])('sends nothing after %s', async (last) => {
    const { panel, run } = await listening();
    run.emit(last, { code: 'stt-stream-failed' });
    await panel.said(last === 'error' ? 'assist.failed' : last === 'run-end' ? 'assist.ended' : 'assist.speech-ended');
    run.end();
    for (let at = 0; at < 10; at += 1) panel.channel.write(4, FRAME);
    panel.channel.finish(4);
    await panel.roundTrip();
    expect([run.frames.length, assist.errors]).toEqual([2, []]);
  });

  it('sends the empty frame when the ear finishes, once, and nothing after it', async () => {
    const { panel, run } = await listening();
    panel.channel.finish(4);
    panel.channel.write(4, FRAME);
    panel.channel.finish(4);
    await panel.roundTrip();
    expect(run.frames.map(({ length }) => length)).toEqual([LEAD_IN, FRAME.length, 0]);
    // Before Home Assistant has recognised it, and once.
    run.emit('stt-end', { stt_output: { text: 'marker' } });
    await panel.said('assist.understood');
    expect(panel.types()).toEqual(['started', 'speech-ended', 'understood']);
  });

  it('keeps what is said before the run begins, and sends the silence before it', async () => {
    assist.runStart = () => null;
    const panel = await connect();
    panel.channel.begin(4, () => {});
    panel.channel.write(4, FRAME);
    panel.channel.finish(4);
    panel.begin();
    const run = await theRun();
    await panel.roundTrip();
    expect(run.frames).toEqual([]);
    run.emit('run-start', runStart(run.handler));
    await panel.said('assist.started');
    await panel.roundTrip();
    expect(run.frames.map(({ length }) => length)).toEqual([LEAD_IN, FRAME.length, 0]);
  });

  it('uses the handler of its own run, and never that of another', async () => {
    const { panel, run } = await listening();
    run.end();
    await panel.said('assist.ended');
    assist.runStart = (handler) => runStart(handler);
    const { run: next } = await listening(panel, { turn: 5 });
    expect([run.handler, next.handler, next.frames.length]).toEqual([1, 1, 2]);
    const { run: last } = await listening(panel, { turn: 6 });
    expect([last.frames.length, next.isOver(), assist.errors]).toEqual([2, true, []]);
  });
});

describe('a turn that fails', () => {
  it.each([['pipeline-not-found'], ['validation-error'], ['invalid_format']])(
    'because its run is refused has the code %s, and no end',
    async (code) => {
      assist.refusal = code;
      const panel = await connect();
      panel.begin();
      await panel.said('assist.failed');
      await panel.roundTrip();
      expect([panel.told(), unsubscribed()]).toEqual([[{ type: 'assist.failed', code }], []]);
      expect(JSON.stringify(panel.facts)).not.toContain('marker');
    },
  );

  it.each([
    ['stt-no-text-recognized', 'stt-no-text-recognized'],
    ['duplicate_wake_up_detected', 'duplicate_wake_up_detected'],
    ['intent-failed', 'intent-failed'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), 'unknown'],
    ['Turn the marker on', 'unknown'],
    ['', 'unknown'],
    [7, 'unknown'],
    [undefined, 'unknown'],
  ])('with the code %j in its run is reported as %s, and then ends', async (code, reported) => {
    const { panel, run } = await listening();
    run.emit('error', { code, message: 'marker' });
    run.end();
    await panel.said('assist.ended');
    expect(panel.told().slice(1)).toEqual([{ type: 'assist.failed', code: reported }, { type: 'assist.ended' }]);
    expect(JSON.stringify(panel.facts)).not.toContain('marker');
  });

  it('by a timeout says so after its end, and is unsubscribed only then', async () => {
    const { panel, run } = await listening();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    run.end(['error', { code: 'timeout', message: 'marker' }]);
    await panel.said('assist.failed');
    expect(panel.told().slice(1)).toEqual([{ type: 'assist.ended' }, { type: 'assist.failed', code: 'timeout' }]);
    expect(unsubscribed()).toEqual([]);
    panel.pass(1000);
    await vi.waitFor(() => expect(unsubscribed()).toEqual([run.command['id']]));
  });

  it('in silence ends the speech without its begin', async () => {
    const { panel, run } = await listening();
    run.emit('stt-vad-end', { timestamp: 15_000 });
    run.emit('error', { code: 'stt-no-text-recognized' });
    run.end();
    await panel.said('assist.ended');
    expect(panel.types()).toEqual(['started', 'speech-ended', 'failed', 'ended']);
  });

  it.each([[0], [256], [1.5], ['1'], [null], [undefined]])('by the handler %j is unavailable', async (handler) => {
    assist.runStart = () => runStart(handler);
    const panel = await connect();
    panel.channel.begin(4, () => {});
    panel.channel.write(4, FRAME);
    panel.begin();
    await panel.said('assist.failed');
    await vi.waitFor(() => expect(unsubscribed()).toHaveLength(1));
    expect([panel.told(), bytesOf(await theRun()), assist.errors]).toEqual([
      [{ type: 'assist.failed', code: 'unavailable' }],
      0,
      [],
    ]);
  });

  it('because nothing answers within 10 s is unavailable, and its run is taken back', async () => {
    assist.runStart = () => null;
    const panel = await connect();
    // So that the first turn need not load its code.
    panel.begin();
    await theRun();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    panel.begin({ turn: 5 });
    const run = await theRun(1);
    panel.pass(ANSWER_MS);
    await panel.said('assist.failed', 5);
    await vi.waitFor(() => expect(run.isOver()).toBe(true));
    expect(panel.told()).toEqual([{ type: 'assist.failed', code: 'unavailable' }]);
  });

  it('because Home Assistant takes no more sound for 2 s is one of backlog', async () => {
    const { panel, run } = await listening();
    await panel.roundTrip();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // What is sent from here on fits into the buffers of the system.
    home.sockets()[0]?.pause();
    panel.pass(300);
    panel.channel.write(4, FRAME);
    // Together with the quarter of a second in which no question was due.
    panel.pass(OVERDUE_MS - 251);
    panel.channel.write(4, FRAME);
    expect(panel.types()).toEqual(['started']);
    panel.pass(1);
    expect(panel.told().slice(1)).toEqual([{ type: 'assist.failed', code: 'backlog' }]);
    home.sockets()[0]?.resume();
    await vi.waitFor(() => expect(run.isOver()).toBe(true));
    panel.channel.write(4, FRAME);
    await panel.roundTrip();
    expect([run.frames.length, assist.errors]).toEqual([4, []]);
  });

  it('without a channel is unavailable', async () => {
    const panel = await connect(false);
    panel.begin();
    expect((await panel.said('assist.failed')).fact).toMatchObject({ turn: 4, code: 'unavailable' });
  });
});

describe('a turn whose sound arrives', () => {
  it('goes on, however long it lasts', async () => {
    const { panel, run } = await listening();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (let at = 0; at < 8; at += 1) {
      await panel.roundTrip();
      panel.pass(1000);
      panel.channel.write(4, FRAME);
    }
    await vi.waitFor(() => expect(run.frames).toHaveLength(10));
    expect(panel.types()).toEqual(['started']);
  });
});

describe('a turn that is over', () => {
  it('by being cancelled ends its run at once, and says and shows nothing more', async () => {
    const { panel, run } = await listening();
    run.emit('stt-end', { stt_output: { text: 'marker' } });
    await panel.said('assist.understood');
    panel.cancel(5);
    await panel.roundTrip();
    expect(run.isOver()).toBe(false);
    panel.cancel();
    await vi.waitFor(() => expect(run.isOver()).toBe(true));
    run.emit('intent-end', intentEnd('marker'));
    panel.channel.write(4, FRAME);
    await panel.roundTrip();
    expect(panel.types()).toEqual(['started', 'speech-ended', 'understood']);
    expect([panel.words.at(-1), run.frames.length, assist.errors]).toEqual([null, 2, []]);
  });

  it('by being cancelled at once begins no run, or ends it', async () => {
    const panel = await connect();
    panel.begin();
    panel.cancel();
    panel.begin({ turn: 5 });
    panel.cancel(5);
    panel.begin({ turn: 6 });
    await panel.said('assist.started', 6);
    await panel.roundTrip();
    expect([assist.runs.map((run) => run.isOver()), panel.types()]).toEqual([[false], ['started']]);
  });

  it('with its connection lets the channel go, and clears the words', async () => {
    const { panel, run } = await listening();
    run.emit('stt-end', { stt_output: { text: 'marker' } });
    await panel.said('assist.understood');
    for (const socket of home.sockets()) socket.terminate();
    await panel.until(isFact('socket.ended'));
    panel.channel.write(4, FRAME);
    expect(panel.types()).toEqual(['started', 'speech-ended', 'understood']);
    expect([panel.words.at(-1), panel.crashed()]).toEqual([null, undefined]);
  });

  it('well keeps its words for the screen until the next one begins', async () => {
    const { panel, run } = await listening();
    run.emit('intent-end', intentEnd('done'));
    run.end();
    await panel.said('assist.ended');
    expect(panel.words.at(-1)).toEqual({ turn: 4, heard: null, answer: 'done' });
    panel.begin({ turn: 5 });
    await panel.said('assist.started', 5);
    expect(panel.words.at(-1)).toBeNull();
  });
});

describe('the answer', () => {
  const answered = async (output: Message, act: (run: AssistRun) => void) => {
    assist.runStart = (handler) => runStart(handler, output);
    const { panel, run } = await listening();
    act(run);
    run.end();
    await panel.said('assist.ended');
    return panel.told().flatMap((fact) => (fact.type === 'assist.answered' ? [fact.url.replace(home.origin, '')] : []));
  };

  it('that is streamed is told as soon as it begins, once', async () => {
    assist.runStart = (handler) => runStart(handler, { stream_response: true });
    const { panel, run } = await listening();
    run.emit('intent-progress', { chat_log_delta: { role: 'assistant' } });
    run.emit('intent-progress', { tts_start_streaming: true });
    await panel.said('assist.answered');
    run.emit('intent-progress', { tts_start_streaming: true });
    run.emit('tts-end', ttsEnd('/api/tts_proxy/other.mp3'));
    run.end();
    await panel.said('assist.ended');
    expect(panel.told().slice(1)).toEqual([
      { type: 'assist.answered', url: `${home.origin}/api/tts_proxy/t.mp3` },
      { type: 'assist.ended' },
    ]);
  });

  it.each([[false], [null], ['true']])('that is not streamed (%j) waits for its end', async (stream) => {
    const urls = await answered({ stream_response: stream }, (run) => {
      run.emit('intent-progress', { tts_start_streaming: true });
      run.emit('tts-end', ttsEnd('/api/tts_proxy/whole.mp3'));
    });
    expect(urls).toEqual(['/api/tts_proxy/whole.mp3']);
  });

  it('that is nothing to say has no address', async () => {
    expect(await answered({}, (run) => run.emit('intent-end', intentEnd('')))).toEqual([]);
  });

  it.each([
    ['http://192.0.2.1/api/tts_proxy/t.mp3'],
    ['//192.0.2.1/t.mp3'],
    ['\\\\192.0.2.1\\t.mp3'],
    ['javascript:alert(1)'],
    ['file:///etc/passwd'],
    [`/${'x'.repeat(3000)}`],
    ['http://[broken'],
    [''],
    [7],
    [null],
  ])('is not taken from %j', async (url) => {
    expect(
      await answered({ stream_response: true, url }, (run) => {
        run.emit('intent-progress', { tts_start_streaming: true });
        run.emit('tts-end', ttsEnd(url));
      }),
    ).toEqual([]);
  });

  it('is taken from the own origin, also as a whole address, but not with a name and a password', async () => {
    expect(await answered({}, (run) => run.emit('tts-end', ttsEnd(`${home.origin}/t.mp3`)))).toEqual(['/t.mp3']);
    const named = home.origin.replace('://', '://user:word@');
    expect(await answered({}, (run) => run.emit('tts-end', ttsEnd(`${named}/t.mp3`)))).toEqual([]);
  });
});

describe('a Home Assistant that lies', () => {
  it('has each stage reported once, and its words cut, however much it sends', async () => {
    const { panel, run } = await listening();
    const long = 'x'.repeat(10_000);
    for (let at = 0; at < 100; at += 1) {
      run.emit('run-start', runStart(9));
      run.emit('stt-vad-start');
      run.emit('stt-end', { stt_output: { text: long } });
      run.emit('intent-progress', { chat_log_delta: { content: 'x' } });
      run.emit('intent-end', intentEnd(long, { conversation_id: long }));
      run.emit('tts-end', ttsEnd(`/${at}`));
      run.emit('error', { code: `code-${at}` });
      run.emit('__proto__', {});
      run.emit('run-end');
    }
    await panel.roundTrip();
    expect(panel.types()).toEqual([
      'started',
      'speech-began',
      'speech-ended',
      'understood',
      'decided',
      'answered',
      'failed',
      'ended',
    ]);
    expect(panel.told()[4]).toEqual({ type: 'assist.decided', conversationId: null, continues: false });
    expect(panel.words.length).toBeLessThan(5);
    expect([panel.words[2]?.answer?.length, panel.words.at(-1), panel.crashed()]).toEqual([500, null, undefined]);
    expect([run.frames.length, assist.errors]).toEqual([2, []]);
  });

  it.each([[null], ['nonsense'], [[1]], [{ type: 'stt-end' }], [{ type: 'intent-end', data: { intent_output: [] } }]])(
    'does no harm with the event %j',
    async (event) => {
      const { panel, run } = await listening();
      home.sockets()[0]?.send(JSON.stringify({ id: run.command['id'], type: 'event', event }));
      run.end();
      await panel.said('assist.ended');
      expect(panel.crashed()).toBeUndefined();
    },
  );

  it('sends no sound after an error that comes before the run begins', async () => {
    assist.runStart = () => null;
    const panel = await connect();
    panel.channel.begin(4, () => {});
    panel.channel.write(4, FRAME);
    panel.begin();
    const run = await theRun();
    run.emit('error', { code: 'stt-provider-missing' });
    run.emit('run-start', runStart(run.handler));
    run.end();
    await panel.said('assist.ended');
    expect([panel.types(), run.frames.length]).toEqual([['failed', 'ended'], 0]);
  });
});
