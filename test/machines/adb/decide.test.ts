import { describe, expect, test } from 'vitest';
import { createActor, type EventObject } from 'xstate';
import { TapBody } from '#machines/action/tap.ts';
import { adbRules, judgeAdb, parseAdbDevice } from '#machines/adb/decide.ts';
import type { AdbDriverCommand, AdbFact } from '#machines/adb/events.ts';
import { adbMachine } from '#machines/adb/machine.ts';
import { fromDriver } from '#drivers/kit/from-driver.ts';
import { findPanel, parseDevices } from '#drivers/adb/bridge.ts';
import { quoted, serviceOf } from '#drivers/adb/commands.ts';
import { parseBrightness, parseWakefulness } from '#drivers/screen/adb.ts';
import { parseMediaVolume } from '#drivers/volume/adb.ts';
import { decodeFields } from '#routes/kit/form-values.ts';
import { explain, sentenceOf } from '#routes/kit/issues.ts';

describe('which device is meant', () => {
  test.each([
    ['', { kind: 'only' }],
    [' 0123ABCDEF ', { kind: 'serial', serial: '0123ABCDEF' }],
    ['192.168.1.20', { kind: 'network', host: '192.168.1.20', port: 5555 }],
    ['panel.local:5037', { kind: 'network', host: 'panel.local', port: 5037 }],
    ['[fe80::1]:5555', { kind: 'network', host: '[fe80::1]', port: 5555 }],
    ['panel.local:0', null],
    ['panel.local:70000', null],
    ['a b', null],
    ["x'; reboot '", null],
    ['$(reboot)', null],
  ])('%j', (text, target) => {
    expect(parseAdbDevice(text)).toEqual(target);
  });
});

describe('which of the attached ones is the panel', () => {
  const listed = parseDevices('0123\tdevice\n4567\tunauthorized\n\nnonsense\n');
  test.each([
    ['one that was named', { kind: 'serial', serial: '0123' }, { phase: 'online', serial: '0123' }],
    [
      'one that was named and does not trust this machine',
      { kind: 'serial', serial: '4567' },
      { phase: 'unauthorized', serial: null },
    ],
    ['one that was named and is away', { kind: 'serial', serial: '89' }, { phase: 'waiting', serial: null }],
    ['none that was named among several', { kind: 'only' }, { phase: 'ambiguous', serial: null }],
  ] as const)('%s', (_, target, seen) => {
    expect(findPanel(listed, target)).toEqual(seen);
  });
});

describe('what is sent', () => {
  test('is made of fixed words in quotes and of numbers inside bounds', () => {
    expect(quoted("it's")).toBe(`'it'\\''s'`);
    expect(serviceOf({ do: 'tap', x: Number.NaN, y: -5 }).service).toBe(`shell:'input' 'tap' '0' '0'; echo "exit=$?"`);
    expect(serviceOf({ do: 'set-brightness', level: 999 }).service).toContain(`'screen_brightness' '255'`);
  });
});

describe('what is answered', () => {
  test('is read, or known not to be understood', () => {
    expect([
      parseWakefulness('  mWakefulness=Dozing'),
      parseWakefulness('mWakefulness=Awake'),
      parseWakefulness(''),
    ]).toEqual([false, true, null]);
    expect(['128\n', '0.5\n', 'null\n', '', '300'].map(parseBrightness)).toEqual([128, 128, null, null, null]);
    expect(parseMediaVolume('[V] volume is 5 in range [0..15]\n')).toEqual({ step: 5, low: 0, high: 15 });
    expect(parseMediaVolume('[V] volume is 5 in range [0..0]\n')).toBeNull();
  });
});

describe('the bridge’s machine', () => {
  const started = () => {
    const told: AdbDriverCommand[] = [];
    let say: (event: AdbFact) => void = () => {};
    const bridge = fromDriver<AdbDriverCommand, undefined, AdbFact>(({ send, onEvent }) => {
      say = send;
      onEvent((command) => void told.push(command));
      return undefined;
    });
    const actor = createActor(
      adbMachine.provide({ actors: { bridge, device: fromDriver<EventObject, undefined, never>(() => undefined) } }),
    );
    actor.start();
    return { actor, told, say: (event: AdbFact) => say(event), value: () => actor.getSnapshot().value };
  };
  test('hands the device that is meant to the bridge and says how it stands', () => {
    const { actor, told, say, value } = started();
    expect(actor.getSnapshot().context.verdict.state).toBe('checking');
    actor.send({ type: 'adb.chosen', device: '192.168.1.20' });
    expect(told).toEqual([{ type: 'adb.use', target: { kind: 'network', host: '192.168.1.20', port: 5555 } }]);
    say({ type: 'adb.observed', phase: 'online' });
    expect([value(), actor.getSnapshot().context.network, actor.getSnapshot().context.verdict.state]).toEqual([
      'online',
      true,
      'working',
    ]);
  });
  test('asks the bridge for none where the setting names none, and believes the one before no longer', () => {
    const { actor, told, say, value } = started();
    say({ type: 'adb.observed', phase: 'online' });
    actor.send({ type: 'adb.chosen', device: 'a b' });
    expect([told, value(), actor.getSnapshot().context.verdict.reason]).toEqual([
      [{ type: 'adb.use', target: null }],
      'away',
      'adb-waiting',
    ]);
  });
  test('every phase has a verdict with a reason of its own', () => {
    const phases = ['no-bridge', 'waiting', 'unauthorized', 'ambiguous', 'online'] as const;
    const reasons = [
      ...phases.map((phase) => judgeAdb({ phase }).reason),
      judgeAdb({ phase: 'denied', user: null }).reason,
    ];
    expect(new Set(reasons).size).toBe(6);
  });
  test('a USB device that this user may not open comes with the one command that opens it', () => {
    const { actor, say } = started();
    say({ type: 'adb.observed', phase: 'denied', user: 'wall' });
    const { verdict } = actor.getSnapshot().context;
    expect([verdict.state, verdict.reason]).toEqual(['needs_you', 'adb-denied']);
    expect(verdict.fix?.command).toContain(`'${adbRules[0]}'`);
    expect(verdict.fix?.command).toMatch(/ sudo usermod -aG plugdev wall$/);
  });
  test('what is asked while the panel is away is answered at once, and never handed on', () => {
    const { actor, told } = started();
    const replies: unknown[] = [];
    actor.on('reply', (reply) => replies.push(reply));
    actor.send({ type: 'adb.ask', requestId: 'r1', command: { do: 'packages' } });
    expect(replies).toEqual([{ type: 'reply', requestId: 'r1', outcome: { ok: false, reason: 'offline' } }]);
    expect(told).toEqual([]);
  });
  test('what is asked of a panel that is there is handed on, and its answer comes back', () => {
    const { actor, told, say } = started();
    const replies: unknown[] = [];
    actor.on('reply', (reply) => replies.push(reply));
    say({ type: 'adb.observed', phase: 'online' });
    actor.send({ type: 'adb.ask', requestId: 'r1', command: { do: 'packages' } });
    actor.send({ type: 'adb.press', key: 'back' });
    expect(told).toEqual([
      { type: 'adb.do', requestId: 'r1', command: { do: 'packages' } },
      { type: 'adb.do', requestId: '', command: { do: 'key', key: 'back' } },
    ]);
    say({ type: 'adb.done', requestId: 'r1', outcome: { ok: true, text: 'package:a\n', png: null } });
    expect(replies).toEqual([
      { type: 'reply', requestId: 'r1', outcome: { ok: true, text: 'package:a\n', png: null } },
    ]);
  });
});

describe('a tap', () => {
  test('is taken, without a picture unless one is asked for', () => {
    expect(TapBody().parse({ x: 1, y: 2 })).toEqual({ x: 1, y: 2, capture: false });
  });
  test('is taken of a form, whose values are text', () => {
    expect(TapBody().parse(decodeFields(TapBody(), { x: '10.5', y: '0', capture: 'yes' }))).toEqual({
      x: 10.5,
      y: 0,
      capture: true,
    });
  });
  test.each([
    [{ x: 1 }, '"y"'],
    [{ x: -1, y: 2 }, '"x"'],
    [{ x: 1, y: 'NaN' }, '"y"'],
    [{ x: 1, y: 1e9 }, '"y"'],
    [{ x: 1, y: 2, capture: 'perhaps' }, '"capture"'],
    [{ x: 1, y: 2, z: 3 }, '"z"'],
  ])('%j is refused', (body, words) => {
    for (const said of [body, decodeFields(TapBody(), body)]) {
      const parsed = TapBody().safeParse(said, { error: sentenceOf });
      expect(explain(parsed.error?.issues ?? []).message).toContain(words);
    }
  });
});
