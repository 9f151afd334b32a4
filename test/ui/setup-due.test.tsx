import { describe, expect, test } from 'vitest';
import { StatusPage } from '#ui/pages/status-page.tsx';
import { fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

describe('the setup on the status page', () => {
  const { setup } = fixtureStatus;

  test('is headed by the setup until that is done or put off, with the one button', () => {
    const begin = markupOf(<StatusPage status={fixtureStatus} />);
    expect(begin).toContain('<h2 class="summary-sentence">Set up this panel</h2>');
    expect(begin).toContain('<a class="button primary" href="/setup">Set it up</a>');
    expect(begin).not.toContain('Let Sconce dim the screen');
    expect(begin).not.toContain('of the setup are left</a>');
    // What no step of the setup is about is still told, open.
    expect(begin).toMatch(/After that:<\/b><a href="#capability-reboot">Reboot<\/a>/);
    const waiting = setup && {
      ...setup,
      steps: setup.steps.map((step) => ({
        ...step,
        ...(step.stage === 'identity' && { status: 'done' as const }),
        ...(step.stage === 'broker' && { status: 'needs_you' as const, detail: 'Enter its address.' }),
      })),
    };
    const goOn = markupOf(<StatusPage status={{ ...fixtureStatus, setup: waiting }} />);
    expect(goOn).toContain('<h2 class="summary-sentence">Continue: Broker</h2>');
    expect(goOn).toContain('Enter its address. 2 steps are left.');
    expect(goOn).toContain('<a class="button primary" href="/setup#step-broker">Continue the setup</a>');
    for (const page of [begin, goOn])
      expect(/"hero-words"[\s\S]*?<\/section>/.exec(page)?.[0].match(/class="button/g)).toHaveLength(1);
  });

  test('leads quietly to what is left of a setup that was put off, and no longer than that', () => {
    const later = setup && { ...setup, due: false, put_off: true };
    const markup = markupOf(<StatusPage status={{ ...fixtureStatus, setup: later }} />);
    expect(markup).toContain('<a href="/setup">3 steps of the setup are left</a>');
    const done = setup && { ...setup, due: false, complete: true, steps: setup.steps.slice(0, 4) };
    expect(markupOf(<StatusPage status={{ ...fixtureStatus, setup: done }} />)).not.toContain(
      'of the setup are left</a>',
    );
  });

  test('goes on with a broker that was tried and failed, though the panel has no name yet', () => {
    const steps = (setup?.steps ?? []).map((step) => ({
      ...step,
      ...(step.stage === 'broker' && { status: 'needs_you' as const, detail: 'It refuses the password.' }),
    }));
    const titleOf = (failing: number | null): string | undefined => {
      const mqtt = fixtureStatus.mqtt && { ...fixtureStatus.mqtt, failing_since: failing };
      const status = { ...fixtureStatus, mqtt, setup: setup && { ...setup, steps } };
      return /summary-sentence">([^<]*)</.exec(markupOf(<StatusPage status={status} />))?.[1];
    };
    expect([titleOf(null), titleOf(1_000)]).toEqual(['Set up this panel', 'Continue: Broker']);
  });
});
