import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { StatusPage } from '#ui/pages/status-page.tsx';
import { cameraCard } from '#ui/parts/camera-card.tsx';
import { cameraFacts } from '#ui/parts/camera-facts.ts';
import { CameraSteps, linesOf } from '#ui/parts/camera-steps.tsx';
import { PanelDrawing } from '#ui/parts/panel-drawing.tsx';
import { SimulatorView } from '#ui/parts/simulator-view.tsx';
import { t } from '#ui/strings/t.ts';
import { fixtureNow, fixturePanel, fixtureStatus } from './fixture.ts';
import { cameraIdle, cameraLive, cameraOff, watchers, withCamera } from './camera-fixture.ts';
import { markupOf } from './markup.ts';

const draw = (camera: typeof cameraOff, more: object = {}): string =>
  markupOf(cameraCard.draw({ status: withCamera(camera, more), now: fixtureNow }));
const page = (camera: typeof cameraOff): string =>
  /<section class="card card-camera"[^>]*>/.exec(markupOf(<StatusPage status={withCamera(camera)} />))?.[0] ?? '';
const words = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

test('a panel without a camera has no card of it', () => {
  expect(markupOf(cameraCard.draw({ status: fixtureStatus, now: fixtureNow }))).toBe('');
  expect(page(fixtureStatus.camera)).toContain('hidden');
  expect(page(cameraOff)).not.toContain('hidden');
  expect(page(cameraOff)).toContain('data-state="off"');
  expect(page(cameraLive)).toContain('data-state="on"');
});

test('before it is turned on, the card says what follows, and takes no picture', () => {
  const markup = draw(cameraOff);
  expect(words(markup)).toContain(
    'Everybody on this network can then watch. A red square in the corner of the screen shows when it is in use.',
  );
  expect(markup).toContain(t('approval.shield_always'));
  expect(markup).toMatch(/role="switch" aria-checked="false"[^>]* data-camera="on"/);
  expect(markup).not.toContain('data-camera="take"');
});

test('that "off" is not saved yet is said, with the reason', () => {
  const configuration = { ...fixtureStatus.configuration, unsaved_off: ['camera_enabled'] };
  expect(words(draw(cameraOff, { configuration }))).toContain('not saved yet');
  const full = { ...configuration, last_failure: 'ENOSPC' };
  expect(words(draw(cameraOff, { configuration: full }))).toContain('turn it on again. The disk refused it (ENOSPC)');
  const other = { ...full, unsaved_off: ['microphone_enabled'] };
  for (const saved of [other, { ...full, unsaved_off: [] }, fixtureStatus.configuration])
    expect(draw(cameraOff, { configuration: saved })).not.toContain('not saved');
});

test('while it is on, one press turns it off and one takes a picture', () => {
  const markup = draw(cameraIdle);
  expect(markup).toMatch(/role="switch" aria-checked="true"[^>]* data-camera="off"/);
  expect(markup).toContain('data-camera="take"');
  expect(words(markup)).toContain('The camera is on, and not in use. No stream is being watched.');
  expect(markup).not.toContain('use-mark');
});

test.each([
  ['overlay', 'In use: the red square is on the screen.'],
  ['led', 'In use: the screen is dark, so the LED is lit.'],
] as const)('in use is shown as the room is shown it: %s', (indication, said) => {
  const markup = draw({ ...cameraLive, indication });
  expect(markup).toContain('use-mark');
  expect(words(markup)).toContain(said);
  expect(words(markup)).toContain('1280 × 720, 14.9 pictures/s, 1,948 kbit/s');
});

test('what is broken is said with what helps, also while the mark is still on', () => {
  const broken = { ...cameraLive, outcome: 'camera-starved' as const, summary: 'It is stuck.', action: 'Replug it.' };
  expect(words(draw(broken))).toContain('It is stuck. Replug it.');
});

test('who watches is told by kind and since when, the earliest first', () => {
  const status = withCamera(cameraLive, { camera_watchers: watchers });
  expect(cameraFacts(status).watchers).toEqual([
    { kind: 'home-assistant', count: 1, since: fixtureNow - 3_600_000 },
    { kind: 'frigate', count: 2, since: fixtureNow - 120_000 },
  ]);
  const said = words(draw(cameraLive, { camera_watchers: watchers }));
  expect(said).toContain('Home Assistant since 1 h ago Frigate (2 streams) since 2 min ago');
  const players = [...Array.from({ length: 3 }, () => ({ kind: 'player', since: fixtureNow })), watchers[0]];
  expect(words(draw(cameraLive, { camera_watchers: players }))).toContain('3 players since just now');
});

test('the steps name the address that the visitor knows the panel by', () => {
  const steps = (address: { readonly host: string; readonly isLoopback: boolean } | null): string =>
    markupOf(<CameraSteps status={withCamera(cameraIdle)} address={address} />);
  expect(steps({ host: '[fd00::7]', isLoopback: false })).toContain('>rtsp://[fd00::7]:8554/live</code>');
  expect(words(steps(null))).toContain('192.0.2.20 is a placeholder');
  expect(words(steps({ host: '127.0.0.1', isLoopback: true }))).toContain('replace 127.0.0.1 with it');
  // Of all clients only Home Assistant would ask for it.
  expect(steps(null)).not.toContain('snapshot.jpg');
  expect(words(steps(null))).toContain('Leave “Still image URL” empty');
});

test.each(['kitchen', '2024'])('the lines for go2rtc and Frigate are YAML, for the panel %s', (id) => {
  const stream = 'rtsp://[fd00::7]:8554/live';
  const { go2rtc, frigate } = linesOf(stream, id);
  expect(load(go2rtc)).toEqual({ streams: { [id]: stream } });
  expect(load(frigate)).toEqual({
    cameras: { [id]: { ffmpeg: { inputs: [{ path: stream, roles: ['detect', 'record'] }] } } },
  });
  // A name of digits would be read as a number.
  for (const text of [go2rtc, frigate]) expect(text).toContain(/^\d/.test(id) ? `  "${id}":` : `  ${id}:`);
});

test('on a simulated panel the mark is on the drawn screen, and only while the room is shown it there', () => {
  const view = (shown: 'none' | 'overlay' | 'led'): string => {
    const inUse = { shown, holders: [], refusal: null };
    const status = withCamera(shown === 'none' ? cameraIdle : { ...cameraLive, indication: shown }, { in_use: inUse });
    return markupOf(<SimulatorView status={status} panel={fixturePanel} now={fixtureNow} />);
  };
  expect(view('overlay')).toContain('glass-mark');
  expect(view('overlay')).toContain('The red square shows that the camera is in use.');
  for (const shown of ['none', 'led'] as const) expect(view(shown)).not.toContain('glass-mark');
  expect(markupOf(<PanelDrawing status={fixtureStatus} now={fixtureNow} />)).not.toContain('glass-mark');
});

test.each(['plugged', 'permitted', 'blind', 'jammed', 'occupied'] as const)('the simulated camera is %s', (state) => {
  const draws = (is: boolean): string => {
    const panel = { ...fixturePanel, camera: { ...fixturePanel.camera, [state]: is } };
    return markupOf(<SimulatorView status={withCamera(cameraOff)} panel={panel} now={fixtureNow} />);
  };
  const switchOf = (markup: string): string =>
    new RegExp(`<button[^>]*data-of-part="${state}"[^>]*>`).exec(markup)?.[0] ?? '';
  expect(switchOf(draws(true))).toMatch(/aria-checked="true".*data-value="0"/);
  expect(switchOf(draws(false))).toMatch(/aria-checked="false".*data-value="1"/);
});
