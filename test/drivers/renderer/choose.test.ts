import { describe, expect, test } from 'vitest';

import { fromDriver } from '#drivers/kit/from-driver.ts';
import { byProgram } from '#drivers/renderer/choose.ts';
import type {
  BrowserCommand,
  BrowserFact,
  BrowserInput,
  StartInput,
  RendererPackage,
} from '#machines/renderer/events.ts';
import { runDriver } from '../run-driver.ts';

const named = (name: string, received: string[]) =>
  fromDriver<BrowserCommand, BrowserInput, BrowserFact>(({ input, send, onEvent }) => {
    onEvent(({ type }) => void received.push(`${name} ${type}`));
    send({ type: 'browser.ready', generation: input.generation, route: 'headless', version: name, at: 1 });
    return () => void received.push(`${name} ends`);
  });

const launch = (program: RendererPackage, generation: number): StartInput => ({
  generation,
  display: 'headless',
  origin: null,
  ownOrigin: 'http://127.0.0.1:1',
  appearance: { zoomPercent: 100, theme: 'follow', kiosk: true, fullscreen: true },
  program,
});

describe('the driver of a program', () => {
  test.each(['builtin', 'firefox'] as const)(
    '%s is started, told and ended alone, also beside another one',
    async (program) => {
      const received: string[] = [];
      const logic = byProgram({ builtin: named('builtin', received), firefox: named('firefox', received) });
      const other = runDriver<BrowserCommand, BrowserFact, StartInput>(
        logic,
        launch(program === 'builtin' ? 'firefox' : 'builtin', 1),
      );
      const chosen = runDriver<BrowserCommand, BrowserFact, StartInput>(logic, launch(program, 7));
      expect(await chosen.until((fact): fact is BrowserFact => fact.type === 'browser.ready')).toMatchObject({
        version: program,
        generation: 7,
      });
      chosen.tell({ type: 'page.unhang' });
      expect(received).toEqual([`${program} page.unhang`]);
      chosen.stop();
      expect(received.filter((line) => line.endsWith('ends'))).toEqual([`${program} ends`]);
      other.stop();
    },
  );
});
