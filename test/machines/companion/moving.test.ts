import { describe, expect, it } from 'vitest';

import type { KeysCommand, MoveOutcome, SessionCommand, Surface } from '#machines/companion/events.ts';
import type { CompanionMemory, KeptMove, MoveCode } from '#machines/companion/move.ts';
import { known, type Rig, start } from './rig.ts';

const topics = ['homeassistant/device/sconce_hall/config'];
const list = { entities: 3, automations: ['Evening'], scripts: [] };

/** A paired panel on that surface, connected unless that is said. */
function panelOn(surface: Surface, { isConnected = true, memory = {} as Partial<CompanionMemory> } = {}): Rig {
  const rig = start();
  rig.named();
  rig.memory({ surface, ...memory });
  rig.surface(surface);
  rig.paired(known(1));
  if (isConnected) rig.open(1);
  rig.toSessions();
  rig.toKeys();
  return rig;
}
const ask = (rig: Rig, to: Surface, more: { readonly dryRun?: boolean; readonly leave?: boolean } = {}): void =>
  rig.hear({ type: 'companion.move', requestId: 'a', to, dryRun: false, leave: false, ...more });
const home = (rig: Rig, to: Surface, step: 'prepared' | 'released' | 'applied' | 'failed'): void =>
  rig.hear({ type: 'session.moved', session: 1, to, step, list });
const kept = (rig: Rig, failure: string | null = null): void => rig.hear({ type: 'memory.kept', failure });
const isMove = (command: SessionCommand): command is Extract<SessionCommand, { readonly type: 'sessions.move' }> =>
  command.type === 'sessions.move';
/** The steps that Home Assistant was told since the last look. */
const told = (rig: Rig): readonly string[] =>
  rig
    .toSessions()
    .filter(isMove)
    .map(({ to, step }) => `${step} ${to}`);
const isMemory = (command: KeysCommand): command is Extract<KeysCommand, { readonly type: 'memory.keep' }> =>
  command.type === 'memory.keep';
/** What was stored last. */
const stored = (rig: Rig): CompanionMemory | undefined => rig.toKeys().findLast(isMemory)?.memory;
const outcome = (rig: Rig): unknown => rig.replies.at(-1);
const answered = (value: Partial<MoveOutcome>) => ({ type: 'reply', requestId: 'a', outcome: value });
function stateOf(rig: Rig): unknown {
  const { value } = rig.actor.getSnapshot();
  return typeof value === 'object' && typeof value['running'] === 'object' ? value['running']['transport'] : value;
}

describe('a move to the integration', () => {
  it('is made in order, and answered at its end', async () => {
    const rig = panelOn('mqtt');
    ask(rig, 'native');
    expect([told(rig), rig.facts().moving]).toEqual([['prepare native'], { to: 'native', step: 'prepare' }]);
    home(rig, 'native', 'prepared');
    expect(stored(rig)?.moving).toEqual({ to: 'native', step: 'withdraw', leave: false });
    expect(rig.withdrawal.inputs).toEqual([]);
    kept(rig);
    await rig.withdrawal.end({ status: 'withdrawn', entities: 3 });
    expect([rig.commit.inputs, rig.facts().surface]).toEqual([[{ to: 'native' }], 'mqtt']);
    rig.toBridge();
    await rig.commit.end(null);
    expect(rig.facts().surface).toBe('native');
    expect(rig.toBridge()).toEqual([{ type: 'bridge.surface', surface: 'native', offered: [] }]);
    expect(stored(rig)).toMatchObject({ surface: 'native', moving: { to: 'native', step: 'apply' } });
    rig.surface('native');
    kept(rig);
    expect(told(rig)).toEqual(['apply native']);
    home(rig, 'native', 'applied');
    expect(outcome(rig)).toMatchObject(answered({ status: 'moved', to: 'native', applied: true, list, stays: [] }));
    expect(stored(rig)).toMatchObject({ surface: 'native', moving: null });
    expect([stateOf(rig), rig.facts().happened.at(-1)?.code]).toEqual(['settled', 'moved-native']);
  });

  it('changes nothing while the broker is away', async () => {
    const rig = panelOn('mqtt');
    ask(rig, 'native');
    home(rig, 'native', 'prepared');
    kept(rig);
    told(rig);
    await rig.withdrawal.end({ status: 'left', reason: 'away', entities: 3, topics });
    expect(outcome(rig)).toMatchObject(answered({ status: 'refused', code: 'broker-away', topics }));
    expect([told(rig), stored(rig)?.moving, rig.facts().surface]).toEqual([['abandon native'], null, 'mqtt']);
    expect(rig.commit.inputs).toEqual([]);
  });

  it('goes on with a person’s word, and says what stays', async () => {
    const rig = panelOn('mqtt');
    ask(rig, 'native', { leave: true });
    home(rig, 'native', 'prepared');
    kept(rig);
    expect(rig.withdrawal.inputs).toEqual([{ leave: true }]);
    await rig.withdrawal.end({ status: 'left', reason: 'away', entities: 3, topics });
    await rig.commit.end(null);
    rig.surface('native');
    kept(rig);
    home(rig, 'native', 'applied');
    expect(outcome(rig)).toMatchObject(answered({ status: 'moved', stays: topics }));
    expect(rig.facts().stays).toEqual(topics);
  });

  it.each<readonly [string, (rig: Rig) => void | Promise<void>, MoveCode]>([
    ['Home Assistant could not prepare', (rig) => home(rig, 'native', 'failed'), 'not-prepared'],
    ['it does not answer', (rig) => rig.clock.increment(10_000), 'not-prepared'],
    [
      'the disk refuses the step',
      (rig) => {
        home(rig, 'native', 'prepared');
        kept(rig, 'disk-full');
      },
      'not-saved',
    ],
    [
      'the setting is not saved',
      async (rig) => {
        home(rig, 'native', 'prepared');
        kept(rig);
        await rig.withdrawal.end({ status: 'nothing' });
        await rig.commit.end('commit-failed');
      },
      'not-saved',
    ],
  ])('is taken back if %s', async (_, spoil, code) => {
    const rig = panelOn('mqtt');
    ask(rig, 'native');
    await spoil(rig);
    expect(outcome(rig)).toMatchObject(answered({ status: 'refused', code }));
    expect([told(rig).at(-1), stateOf(rig), rig.facts().surface]).toEqual(['abandon native', 'settled', 'mqtt']);
    expect(stored(rig)?.moving).toBeNull();
  });

  it('is taken back later by a Home Assistant that is away', async () => {
    const rig = panelOn('mqtt');
    ask(rig, 'native');
    home(rig, 'native', 'prepared');
    kept(rig);
    rig.close(1, { kind: 'lost' });
    await rig.withdrawal.end({ status: 'left', reason: 'away', entities: 3, topics });
    told(rig);
    rig.open(1);
    expect(told(rig)).toEqual(['abandon native']);
    rig.close(1, { kind: 'lost' });
    rig.open(1);
    expect(told(rig)).toEqual([]);
  });

  it('needs a session, and there is one at a time', () => {
    const away = panelOn('mqtt', { isConnected: false });
    ask(away, 'native');
    expect(outcome(away)).toMatchObject(answered({ status: 'refused', code: 'no-session' }));
    const rig = panelOn('mqtt');
    ask(rig, 'mqtt');
    expect(outcome(rig)).toMatchObject(answered({ status: 'unchanged' }));
    ask(rig, 'native');
    ask(rig, 'native');
    expect(outcome(rig)).toMatchObject(answered({ status: 'refused', code: 'moving' }));
  });

  it('only says what would happen', () => {
    const rig = panelOn('mqtt');
    ask(rig, 'native', { dryRun: true });
    home(rig, 'native', 'prepared');
    expect(outcome(rig)).toMatchObject(answered({ status: 'preview', to: 'native', list }));
    expect([told(rig), stored(rig), stateOf(rig)]).toEqual([
      ['prepare native', 'abandon native'],
      undefined,
      'settled',
    ]);
  });

  it('ends without an answer of Home Assistant, and says so', async () => {
    const rig = panelOn('mqtt');
    ask(rig, 'native');
    home(rig, 'native', 'prepared');
    kept(rig);
    await rig.withdrawal.end({ status: 'nothing' });
    await rig.commit.end(null);
    rig.surface('native');
    kept(rig);
    rig.clock.increment(40_000);
    expect(outcome(rig)).toMatchObject(answered({ status: 'moved', applied: false }));
    // The choices are applied in the next session.
    expect([told(rig).at(-1), stored(rig)?.moving?.step, stateOf(rig)]).toEqual(['apply native', 'apply', 'settled']);
    rig.close(1, { kind: 'lost' });
    rig.open(1);
    expect(told(rig)).toEqual(['apply native']);
    home(rig, 'native', 'applied');
    expect(stored(rig)?.moving).toBeNull();
  });
});

describe('a move to the broker', () => {
  it('is made in order', async () => {
    const rig = panelOn('native');
    ask(rig, 'mqtt');
    home(rig, 'mqtt', 'prepared');
    expect(stored(rig)?.moving).toEqual({ to: 'mqtt', step: 'release', leave: false });
    kept(rig);
    expect([told(rig), rig.commit.inputs]).toEqual([['prepare mqtt', 'release mqtt'], []]);
    home(rig, 'mqtt', 'released');
    expect([rig.commit.inputs, rig.withdrawal.inputs, rig.facts().surface]).toEqual([[{ to: 'mqtt' }], [], 'native']);
    await rig.commit.end(null);
    rig.surface('mqtt');
    kept(rig);
    home(rig, 'mqtt', 'applied');
    expect(outcome(rig)).toMatchObject(answered({ status: 'moved', to: 'mqtt', applied: true }));
    expect([rig.facts().surface, stored(rig)]).toMatchObject(['mqtt', { surface: 'mqtt', moving: null }]);
  });

  it('needs no session, and says what stays then', async () => {
    const rig = panelOn('native', { isConnected: false });
    ask(rig, 'mqtt');
    await rig.commit.end(null);
    rig.surface('mqtt');
    kept(rig);
    expect(outcome(rig)).toMatchObject(
      answered({ status: 'moved', notes: [expect.stringContaining('until you remove it there')] }),
    );
  });

  it('is taken back if Home Assistant goes before it released', () => {
    const rig = panelOn('native');
    ask(rig, 'mqtt');
    home(rig, 'mqtt', 'prepared');
    kept(rig);
    rig.close(1, { kind: 'lost' });
    expect(outcome(rig)).toMatchObject(answered({ status: 'refused', code: 'not-released' }));
    expect(rig.facts().surface).toBe('native');
  });

  it('follows the last key, where a broker is set', async () => {
    const rig = panelOn('native', { isConnected: false });
    rig.paired();
    expect(rig.commit.inputs).toEqual([{ to: 'mqtt' }]);
    await rig.commit.end(null);
    rig.surface('mqtt');
    expect(rig.facts().surface).toBe('mqtt');
    // Killed in between, it goes on; where none was ever served, the setting counts.
    for (const [offered, commits] of [
      [['screen'], [{ to: 'mqtt' }]],
      [[], []],
    ] as const) {
      const killed = start();
      killed.memory({ surface: 'native', offered });
      killed.surface('native');
      killed.paired();
      expect(killed.commit.inputs).toEqual(commits);
    }
    // Where Home Assistant is connected, it lets go of the ids.
    const connected = panelOn('native');
    connected.toSessions();
    connected.paired();
    expect(connected.toSessions()).toEqual([
      { type: 'sessions.end', reason: 'moved' },
      { type: 'sessions.keys', keys: [] },
    ]);
    const reset = panelOn('native', { isConnected: false });
    reset.hear({ type: 'companion.forget', requestId: 'b' });
    reset.paired();
    expect(reset.commit.inputs).toEqual([]);
    const unset = panelOn('native', { isConnected: false });
    unset.hear({ type: 'surface.changed', surface: 'native', hasBroker: false });
    unset.paired();
    expect(unset.commit.inputs).toEqual([]);
  });
});

describe('a saved setting', () => {
  it('leaves the broker only once it confirmed the withdrawal', async () => {
    const rig = panelOn('mqtt', { isConnected: false });
    rig.surface('native');
    kept(rig);
    await rig.withdrawal.end({ status: 'left', reason: 'away', entities: 3, topics });
    expect([rig.facts().surface, stateOf(rig)]).toEqual(['mqtt', 'waiting']);
    rig.clock.increment(5000);
    kept(rig);
    await rig.withdrawal.end({ status: 'withdrawn', entities: 3 });
    await rig.commit.end(null);
    expect(rig.facts().surface).toBe('native');
  });

  it('can be taken back, or a person lets the entities stay', async () => {
    const rig = panelOn('mqtt', { isConnected: false });
    rig.surface('native');
    kept(rig);
    await rig.withdrawal.end({ status: 'left', reason: 'away', entities: 3, topics });
    ask(rig, 'native');
    expect(outcome(rig)).toMatchObject(answered({ status: 'refused', code: 'broker-away' }));
    ask(rig, 'native', { leave: true });
    kept(rig);
    expect(rig.withdrawal.inputs.at(-1)).toEqual({ leave: true });
    await rig.withdrawal.end({ status: 'left', reason: 'away', entities: 3, topics });
    await rig.commit.end(null);
    kept(rig);
    expect(outcome(rig)).toMatchObject(answered({ status: 'moved', stays: topics }));
    const back = panelOn('mqtt', { isConnected: false });
    back.surface('native');
    kept(back);
    await back.withdrawal.end({ status: 'left', reason: 'away', entities: 3, topics });
    back.surface('mqtt');
    expect([back.facts().surface, stateOf(back)]).toEqual(['mqtt', 'settled']);
  });
});

describe('a wish of a person in Home Assistant', () => {
  it.each<readonly [string | null, string]>([
    [null, 'preparing'],
    ['denied', 'settled'],
  ])('asked for at the panel: %s', async (answer, state) => {
    const rig = panelOn('mqtt');
    rig.hear({ type: 'session.move-wanted', session: 1, to: 'native' });
    expect(rig.consent.inputs).toMatchObject([{ to: 'native' }]);
    await rig.consent.end(answer);
    expect(stateOf(rig)).toBe(state);
  });
});

/** A start after a kill: what was stored, and what the settings say. */
interface Killed {
  readonly surface: Surface;
  readonly step: KeptMove['step'] | null;
  readonly to: Surface;
  readonly wanted: Surface;
}

describe('after a kill', () => {
  it.each<readonly [string, Killed, Surface, string, readonly string[]]>([
    ['before anything', { surface: 'mqtt', step: null, to: 'native', wanted: 'mqtt' }, 'mqtt', 'settled', []],
    [
      'while it withdraws',
      { surface: 'mqtt', step: 'withdraw', to: 'native', wanted: 'mqtt' },
      'mqtt',
      'settled',
      ['abandon native'],
    ],
    ['after the setting', { surface: 'mqtt', step: 'withdraw', to: 'native', wanted: 'native' }, 'mqtt', 'noting', []],
    [
      'while choices are applied',
      { surface: 'native', step: 'apply', to: 'native', wanted: 'native' },
      'native',
      'applying',
      ['apply native'],
    ],
    [
      'while Home Assistant releases',
      { surface: 'native', step: 'release', to: 'mqtt', wanted: 'native' },
      'native',
      'settled',
      ['abandon mqtt'],
    ],
    [
      'after the setting, back',
      { surface: 'native', step: 'release', to: 'mqtt', wanted: 'mqtt' },
      'mqtt',
      'arriving',
      ['apply mqtt'],
    ],
    [
      'while choices are applied, back',
      { surface: 'mqtt', step: 'apply', to: 'mqtt', wanted: 'mqtt' },
      'mqtt',
      'applying',
      ['apply mqtt'],
    ],
  ])('%s there is one surface, whole', (_, { surface, step, to, wanted }, inForce, state, steps) => {
    const rig = start();
    rig.memory({ surface, moving: step === null ? null : { to, step, leave: false } });
    rig.surface(wanted);
    rig.paired(known(1));
    expect([rig.facts().surface, stateOf(rig)]).toEqual([inForce, state]);
    rig.open(1);
    expect(told(rig)).toEqual(steps);
  });

  it('a withdrawal whose setting was saved goes on, and the choices that are kept are applied', async () => {
    const rig = start();
    rig.memory({ surface: 'mqtt', moving: { to: 'native', step: 'withdraw', leave: false } });
    rig.surface('native');
    rig.paired(known(1));
    kept(rig);
    await rig.withdrawal.end({ status: 'nothing' });
    await rig.commit.end(null);
    kept(rig);
    rig.open(1);
    expect(told(rig)).toEqual(['apply native']);
    home(rig, 'native', 'applied');
    expect([rig.facts().surface, stateOf(rig), stored(rig)?.moving]).toEqual(['native', 'settled', null]);
  });
});
