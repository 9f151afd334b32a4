import { describe, expect, test } from 'vitest';
import { toLevel, toRaw } from '#machines/screen/scale.ts';
import { Announcement } from '#ui/parts/announcement.tsx';
import { Capabilities, joinAlike } from '#ui/parts/capabilities.tsx';
import { tiersOf, type FormItem } from '#ui/parts/form-item.ts';
import { controlsCard } from '#ui/parts/controls.tsx';
import { exampleOf, operationsOf } from '#ui/parts/openapi.ts';
import { brokerState, rowWord } from '#ui/parts/link-state.ts';
import { HomeAssistant, Links } from '#ui/parts/links.tsx';
import { settingsParts } from '#ui/parts/settings-parts.tsx';
import { brightnessPercent, drawingCard, PanelDrawing } from '#ui/parts/panel-drawing.tsx';
import { hardwareWords, PanelHardware } from '#ui/parts/panel-hardware.tsx';
import { isScale, levelOf, luxOf, plugs, scaleOf, scales, stepOf } from '#ui/parts/simulator-scales.ts';
import { SimulatorView } from '#ui/parts/simulator-view.tsx';
import { type SimulatedPanel, simulatedParts } from '#machines/simulator/events.ts';
import { simulatorTouch } from '#machines/simulator/touch.ts';
import { fixtureNow, fixturePanel, fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

describe('the broker on the page of settings', () => {
  const mqtt = fixtureStatus.mqtt;
  const draw = (confirm: 'moved' | 'broker' | null): string =>
    markupOf(
      settingsParts.broker.draw({
        status: { ...fixtureStatus, mqtt: mqtt === null ? null : { ...mqtt, confirm, detail: 'Its sentence.' } },
        now: fixtureNow,
      }),
    );

  test.each(['moved', 'broker'] as const)('has a button while it waits for a word: %s', (confirm) => {
    const markup = draw(confirm);
    expect(markup).toMatch(
      /Its sentence\..*<sconce-confirm[^>]*data-keep.*<button type="button"[^>]*disabled[^>]*>Confirm the broker/s,
    );
    // Another broker to confirm is another element, which requests it again.
    expect(markup).toContain(`id="confirm-${confirm}"`);
    for (const field of ['name', 'address', 'port'])
      expect(markup).toMatch(new RegExp(`data-waiting="${field}"[^>]*></dd>`));
  });

  test('has none while nothing waits', () => {
    expect(draw(null)).not.toContain('sconce-confirm');
  });
});

describe('the drawing', () => {
  const screen = fixtureStatus.screen;
  const draw = (changed: Partial<NonNullable<typeof screen>> | null): string =>
    markupOf(
      <PanelDrawing
        status={{ ...fixtureStatus, screen: screen === null || changed === null ? null : { ...screen, ...changed } }}
        now={fixtureNow}
      />,
    );
  const glow = (markup: string): number => Number(/class="halo"[^>]*opacity="([\d.]+)"/.exec(markup)?.[1]);

  test('casts more light the brighter the screen, and none when it is off', () => {
    expect(glow(draw({ brightness: 255 }))).toBeGreaterThan(glow(draw({ brightness: 40 })));
    expect(glow(draw({ lit: false, brightness: null }))).toBe(0);
  });

  test.each([
    [{ lit: true, brightness: 184 }, 'the screen is on at 72 %'],
    [{ lit: false, brightness: null }, 'the screen is off'],
    [{ lit: null, brightness: null }, 'the screen is not known yet'],
    [null, 'no screen was found'],
  ])('says %j as "%s"', (changed, words) => {
    expect(draw(changed)).toContain(words);
  });
});

test('the drawing finds no screen only where nothing is shown', () => {
  const drawn = (phase: 'showing' | 'off' | 'no-display' | null): string => {
    // Of the renderer only its phase and mode are read.
    const renderer = phase === null ? null : ({ mode: 'builtin', phase } as typeof fixtureStatus.renderer);
    const status = { ...fixtureStatus, screen: null, renderer };
    return [drawingCard, controlsCard].map((card) => markupOf(card.draw({ status, now: fixtureNow }))).join('');
  };
  for (const phase of [null, 'off', 'no-display'] as const) {
    expect(drawn(phase)).toContain('No screen found');
    expect(drawn(phase)).not.toContain('glass-picture');
  }
  expect(drawn('showing')).not.toMatch(/No screen found|no screen was found/);
  expect(drawn('showing')).toContain('id="glass-picture"');
});

describe('the hardware on the drawing', () => {
  const draw = (changed: Partial<typeof fixturePanel>): string =>
    markupOf(<PanelHardware panel={{ ...fixturePanel, ...changed }} />);

  test('shows the LED, closed relays, lit buttons and their lamps', () => {
    const markup = draw({
      buttonBacklight: 255,
      buttonLeds: [true, false, false, true],
      held: [false, true, false, false],
    });
    expect(markup).toContain('rgb(255,140,40)');
    expect(markup.match(/relay-on/g)).toHaveLength(2);
    expect(markup.match(/front-light"[^>]*opacity="1.00"/g)).toHaveLength(4);
    expect(markup.match(/front-lamp/g)).toHaveLength(2);
    expect(markup.match(/is-held/g)).toHaveLength(1);
  });

  test('leaves out what is pulled out, and says only what is there', () => {
    const lit = { ...fixturePanel, buttonBacklight: 20, buttonLeds: [true, true, false, false] };
    expect(hardwareWords(lit)).toBe(
      ' The LED is on. 2 relays are on. The button backlight is on. 2 button LEDs are on.',
    );
    const bare = { ...lit, unplugged: plugs };
    expect(hardwareWords(bare)).toBe('');
    expect(draw(bare)).not.toMatch(/circle|rect/);
  });
});

describe('the hands on the simulated panel', () => {
  test('can pull out every part there is', () => {
    expect([...plugs].toSorted()).toEqual([...simulatedParts].toSorted());
    const markup = markupOf(
      <SimulatorView status={fixtureStatus} panel={{ ...fixturePanel, unplugged: ['climate'] }} now={fixtureNow} />,
    );
    for (const part of simulatedParts) expect(markup).toContain(`data-of-part="${part}"`);
    expect(markup.match(/for="sim-(?:celsius|humidity)"[^>]*>unplugged/g)).toHaveLength(2);
  });

  test.each(Object.keys(scales).filter(isScale))(
    'ask at both ends of the slider %s for what the panel takes',
    (name) => {
      const scale = scaleOf(name);
      for (const position of [scale.min, scale.max])
        expect(simulatorTouch().safeParse(scale.body(position)).error).toBeUndefined();
      expect(scale.at(fixturePanel, fixtureStatus)).toSatisfy((at: number) => at >= scale.min && at <= scale.max);
    },
  );
});

test('a lit screen never reads as 0 %', () => {
  expect([0, 1, 2, 128, 255].map(brightnessPercent)).toEqual([0, 1, 1, 50, 100]);
});

describe('the brightness of the simulated screen', () => {
  const raw = toRaw(71, { low: 11, high: 1023 });
  const panel: SimulatedPanel = { ...fixturePanel, screen: { raw, rawMax: 1023, powered: true } };
  const screen = fixtureStatus.screen && { ...fixtureStatus.screen, brightness: 71, last_brightness: 71 };

  test('is what the agent reads it as, in the drawing and at the slider', () => {
    const markup = markupOf(<SimulatorView status={{ ...fixtureStatus, screen }} panel={panel} now={fixtureNow} />);
    expect(markup).toContain('28 %</text>');
    expect(markup).toContain('28 %</output>');
    expect(markup).not.toContain('29 %');
    const dark = screen && { ...screen, lit: false, brightness: null };
    expect(levelOf({ screen: dark }, panel)).toBe(71);
  });

  test('is that of the whole hardware while the agent has no reading', () => {
    for (let value = 1; value <= 1023; value += 1)
      expect(levelOf({ screen: null }, { screen: { raw: value, rawMax: 1023, powered: true } })).toBe(
        toLevel(value, { low: 1, high: 1023 }),
      );
  });
});

test('old entities are spoken of only while they are still to be removed', () => {
  const { platform } = fixtureStatus;
  const said = (orphans: number, due: number): string =>
    markupOf(
      <HomeAssistant status={{ ...fixtureStatus, platform: platform && { ...platform, ghosts: orphans, due } }} />,
    );
  expect(said(48, 0)).not.toContain('old entit');
  expect(said(48, 24)).toContain('24 old entities still to remove');
});

describe('what this panel can do', () => {
  const markup = markupOf(<Capabilities status={fixtureStatus} />);
  const rowsOf = (drawn: string, fold: string): number =>
    (new RegExp(`id="capabilities-${fold}">.*?</details>`, 's').exec(drawn)?.[0].match(/<li /g) ?? []).length;

  test('counts the rows that one sees', () => {
    expect(markup).toContain('2 features work');
    expect(rowsOf(markup, 'working')).toBe(2);
    expect(markup).toContain('1 not available');
    expect(rowsOf(markup, 'absent')).toBe(1);
    const [first, ...others] = fixtureStatus.capabilities;
    if (first === undefined) throw new Error('the fixture has no capability');
    const twins = [first, { ...first, id: 'screen_2', title: 'Screen 2', name: 'Screen 2' }, ...others];
    const joined = markupOf(<Capabilities status={{ ...fixtureStatus, capabilities: twins }} />);
    expect(joined).toContain('2 features work');
    expect(rowsOf(joined, 'working')).toBe(2);
    // A link to the second of them leads to their row.
    expect(joined).toContain('id="capability-screen_2"');
  });

  test('puts what needs a person first and open, and leaves the way to Home Assistant to its own card', () => {
    expect(markup).toMatch(/^<div><details class="fold" id="capability-reboot" open="">/);
    expect(markup).not.toContain('capability-mqtt');
  });
});

describe('the way to Home Assistant', () => {
  const [mqtt] = fixtureStatus.capabilities.slice(-1);
  if (mqtt === undefined) throw new Error('the fixture has no broker');
  const draw = (state: 'working' | 'needs_you', sentence = 'Something else.', due = false): string =>
    markupOf(
      <Links
        status={{
          ...fixtureStatus,
          setup: fixtureStatus.setup && { ...fixtureStatus.setup, due },
          next: { title: 'Do it', sentence, fix: null, href: null },
          capabilities: [
            { ...mqtt, state },
            { ...mqtt, id: 'platform', state: 'working' },
            { ...mqtt, id: 'sign-in', state: 'working' },
          ],
        }}
        now={fixtureNow}
      />,
    );

  test('is one line when all of it works, and three rows when not', () => {
    expect(draw('working').match(/<details class="fold"/g)).toHaveLength(1);
    expect(draw('needs_you').match(/<details class="fold"/g)).toHaveLength(3);
    for (const id of ['mqtt', 'platform', 'sign-in'])
      for (const state of ['working', 'needs_you'] as const) expect(draw(state)).toContain(`id="capability-${id}"`);
  });

  test('has no row of a broker where the integration takes its place', () => {
    const capabilities = ['companion', 'platform', 'sign-in'].map((id) => ({ ...mqtt, id, state: 'working' as const }));
    const status = { ...fixtureStatus, capabilities };
    expect(brokerState(status)).toBe('working');
    const drawn = markupOf(<Links status={status} now={fixtureNow} />);
    expect([drawn.match(/<details class="fold"/g)?.length, drawn.includes('capability-mqtt')]).toEqual([1, false]);
  });

  test('says of Home Assistant what the one verdict on it says, and of the broker what is true of the broker', () => {
    const home = { ...mqtt, id: 'platform', state: 'needs_you', reason: 'home-assistant-gone' } as const;
    const presence = { state: 'gone' as const, evidence: [], shows: null, detail: 'It is gone.' };
    const status = { ...fixtureStatus, capabilities: [mqtt, home], home_presence: presence };
    expect([rowWord(status, 'platform'), brokerState(status)]).toEqual(['needs_you', mqtt.state]);
    expect(markupOf(<HomeAssistant status={status} />)).toContain('It is gone.');
    expect(markupOf(<PanelDrawing status={status} now={fixtureNow} />)).toContain('>needs you</text>');
  });

  test('has the row open that needs a person, unless the next step has said it', () => {
    expect(draw('needs_you')).toMatch(/id="capability-mqtt" open=""/);
    expect(draw('needs_you', mqtt.detail)).not.toMatch(/id="capability-mqtt" open=""/);
    // While the setup is the next step, it leads through this as well.
    expect(draw('needs_you', 'Something else.', true)).not.toMatch(/id="capability-mqtt" open=""/);
  });
});

test('the light slider covers 0 to 100000 lx and finds its way back', () => {
  expect([luxOf(0), luxOf(100)]).toEqual([0, 100_000]);
  for (const step of [0, 20, 55, 100]) expect(Math.abs(stepOf(luxOf(step)) - step)).toBeLessThanOrEqual(1);
});

test('neighbours of which the same is to be said stand in one row', () => {
  const [first] = fixtureStatus.capabilities;
  if (first === undefined) throw new Error('the fixture has no capability');
  const rows = [
    first,
    { ...first, id: 'b', title: 'B' },
    { ...first, id: 'c', title: 'C', detail: 'Another.' },
    { ...first, id: 'd', title: 'D' },
  ];
  expect(joinAlike(rows).map(({ id, title }) => [id, title])).toEqual([
    [first.id, `${first.title}, B`],
    ['c', 'C'],
    ['d', 'D'],
  ]);
});

const item = (key: string, more: Partial<FormItem>): FormItem => ({
  key,
  type: 'STRING',
  group: 'system',
  label: key,
  help: '',
  default: '',
  tier: 'BASIC',
  secret: false,
  readOnly: false,
  options: [],
  min: null,
  max: null,
  step: null,
  maxLength: null,
  ha: false,
  unit: null,
  placeholder: null,
  restart: false,
  ...more,
});

test.each([
  ['basic ones are seen at once', [item('a', {}), item('b', { tier: 'ADVANCED' }), item('c', {})], ['a', 'c'], ['b']],
  ['advanced ones alone are not folded away', [item('a', { tier: 'ADVANCED' })], ['a'], []],
])('of the settings of a group %s', (_, items, basic, advanced) => {
  const tiers = tiersOf(items);
  expect([tiers.basic.map(({ key }) => key), tiers.advanced.map(({ key }) => key)]).toEqual([basic, advanced]);
});

describe('the explorer', () => {
  const document = {
    paths: {
      '/a/{id}': {
        get: {
          tags: ['x'],
          summary: 'Read',
          parameters: [{ name: 'id', in: 'path', required: true }],
          responses: { 200: { description: 'Fine', content: { 'text/event-stream': {} } } },
        },
      },
      '/b': {
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/B' } } } },
          responses: {},
        },
      },
    },
    components: {
      schemas: {
        B: {
          type: 'object',
          required: ['n', 'list'],
          properties: {
            n: { type: 'integer', minimum: 3 },
            list: { type: 'array', items: { enum: ['one'] } },
            optional: { type: 'string' },
          },
        },
      },
    },
  };

  test('finds every operation, knows streams and writes', () => {
    const operations = operationsOf(document);
    expect(operations.map(({ method, path, tag, stream, writes }) => [method, path, tag, stream, writes])).toEqual([
      ['GET', '/a/{id}', 'x', true, false],
      ['POST', '/b', '', false, true],
    ]);
  });

  test('starts a body from what is required', () => {
    const text = operationsOf(document)[1]?.bodies[0]?.alternatives[0]?.text ?? '';
    expect(JSON.parse(text)).toEqual({ n: 3, list: ['one'] });
  });

  test('ends on a schema that contains itself', () => {
    const loop = {
      components: {
        schemas: {
          L: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/L' } } },
        },
      },
    };
    expect(JSON.stringify(exampleOf(loop, { $ref: '#/components/schemas/L' })).length).toBeLessThan(200);
  });
});

describe('announcements', () => {
  const draw = (announcement: typeof fixtureStatus.announcement): string =>
    markupOf(<Announcement announcement={announcement} now={fixtureNow} />);

  test.each([
    ['idle', 'The last sound was played.'],
    ['queued', 'An announcement is waiting.'],
    ['downloading', 'An announcement is downloading.'],
    ['playing', 'An announcement is playing.'],
  ] as const)('%s is "%s", without a reason', (phase, word) => {
    const markup = draw({ phase, reason: null, generation: 1, started_at: fixtureNow, detail: 'Some words.' });
    expect(markup).toContain(word);
    expect(markup).not.toContain('Some words.');
  });

  test('one that failed says why and when', () => {
    const markup = draw({
      phase: 'failed',
      reason: 'playlist',
      generation: 1,
      started_at: fixtureNow - 185_000,
      detail: 'Its source sent a playlist.',
    });
    for (const words of ['Not played.', 'class="said refused"', 'Its source sent a playlist.', '3 min ago'])
      expect(markup).toContain(words);
  });

  test('nothing is drawn before the first, or where the panel has no loudspeaker', () => {
    expect(draw(null)).toBe('');
    expect(draw({ phase: 'idle', reason: null, generation: 0, started_at: null, detail: 'Nothing.' })).toBe('');
  });
});
