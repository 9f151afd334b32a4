import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { until } from '../../scenarios/live-agent.ts';
import { type HomeAssistantPage, serveHomeAssistant } from './home-assistant-page.ts';
import { question, type QuestionRig, serveOwnPages, startQuestions } from './question-rig.ts';
import { noBrowser, START_MS } from './rig.ts';

const run = promisify(execFile);
const has = (tool: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${tool}`]).then(
    () => true,
    () => false,
  );
const [hasX, hasTool, hasWeston] = await Promise.all([has('Xvfb'), has('xdotool'), has('weston')]);
if (!hasX || !hasTool) console.warn('SKIPPED questions on X11: no Xvfb or xdotool (apt-get install xvfb xdotool)');
if (!hasWeston) console.warn('SKIPPED questions on Wayland: no weston (apt-get install weston)');

describe.skipIf(noBrowser)('a question on a display', () => {
  let homeAssistant: HomeAssistantPage;
  let own: { readonly origin: string; readonly server: Server };
  beforeAll(async () => {
    homeAssistant = await serveHomeAssistant();
    own = await serveOwnPages();
  });
  afterAll(async () => {
    await homeAssistant.close();
    own.server.close();
  });
  const start = (env: NodeJS.ProcessEnv): Promise<QuestionRig> =>
    startQuestions({ origin: homeAssistant.origin, ownOrigin: own.origin, display: 'auto' }, { env });
  const dashboardInSight = (rig: QuestionRig) =>
    until('the dashboard is in sight', () => rig.inDashboard('document.visibilityState === "visible"'));

  test.skipIf(!hasX || !hasTool)(
    'is approved by a mouse and by a key that hold, above a window that the dashboard opens',
    async () => {
      const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '800x480x24', '-nolisten', 'tcp', '-noreset'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      // A piped stdout gives buffers.
      const [number] = (await once(server.stdout, 'data')) as [Buffer];
      const env = { ...process.env, WAYLAND_DISPLAY: undefined, DISPLAY: `:${number.toString().trim()}` };
      const rig = await start(env);
      const tool = (...words: readonly string[]) => run('xdotool', words, { env });
      try {
        await rig.browser.settle({ type: 'page.load', path: '/lovelace/hall' });
        await rig.show(question(1));
        await rig.enabled('[data-hold]');
        expect(await rig.inTab('[innerWidth >= 800, innerHeight >= 480].join()')).toBe('true,true');
        const { x, y } = await rig.middleOf('[data-hold]');
        await tool('mousemove', String(Math.round(x)), String(Math.round(y)), 'mousedown', '1');
        expect(await rig.fact('question.answered')).toMatchObject({ answer: 'hold' });
        await tool('mouseup', '1');
        let from = rig.questions.facts.length;
        await rig.show(question(2));
        await rig.inDashboard('alert("x"); void window.open("about:blank#stray", "_blank")');
        await rig.browser.fact('page.nuisance', ({ kind }) => kind === 'window');
        await until('the window is gone', async () => (await rig.pages()).length === 2);
        await until('the tab is in sight', () => rig.inTab('document.visibilityState === "visible"'));
        await rig.enabled('[data-hold]');
        from = rig.questions.facts.length;
        await rig.inTab('document.querySelector("[data-hold]").focus()');
        await tool('keydown', 'Return');
        expect(await rig.fact('question.answered', undefined, from)).toMatchObject({ answer: 'hold' });
        await tool('keyup', 'Return');
        await rig.hide();
        await dashboardInSight(rig);
      } finally {
        await rig.end();
        server.kill('SIGKILL');
      }
    },
    START_MS,
  );

  test.skipIf(!hasWeston)(
    'is seen under a compositor, and gives the screen back',
    async () => {
      const runtime = await mkdtemp(join(tmpdir(), 'sconce-weston-'));
      const compositor = spawn(
        'weston',
        [
          '--backend=headless-backend.so',
          '--shell=kiosk-shell.so',
          '--socket=wayland-8',
          '--width=800',
          '--height=480',
        ],
        { stdio: 'ignore', env: { ...process.env, XDG_RUNTIME_DIR: runtime } },
      );
      let rig: QuestionRig | undefined;
      try {
        await until('the compositor is up', () => existsSync(join(runtime, 'wayland-8')));
        rig = await start({ ...process.env, DISPLAY: undefined, XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: undefined });
        await rig.browser.settle({ type: 'page.load', path: '/lovelace/hall' });
        await rig.show(question(1));
        await rig.enabled('[data-answer=deny]');
        await rig.finger('touchStart', '[data-answer=deny]');
        await rig.finger('touchEnd');
        expect(await rig.fact('question.answered')).toMatchObject({ answer: 'deny' });
        await rig.hide();
        await dashboardInSight(rig);
        // A browser that ends takes its question along.
        await rig.show(question(2));
        const from = rig.questions.facts.length;
        compositor.kill('SIGKILL');
        await rig.fact('question.lost', undefined, from);
        rig.questions.tell({ type: 'question.show', question: question(3) });
        await until(
          'it is lost at once',
          () => rig?.questions.facts.slice(from).filter(({ type }) => type === 'question.lost').length === 2,
        );
      } finally {
        await rig?.end();
        compositor.kill('SIGKILL');
        await rm(runtime, { recursive: true, force: true });
      }
    },
    START_MS,
  );
});
