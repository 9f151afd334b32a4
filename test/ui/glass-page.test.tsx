import { describe, expect, it } from 'vitest';

import { status as ofRenderer } from '#machines/renderer/status.ts';
import type { StatusDocument } from '#machines/status.ts';
import { GlassPage } from '#ui/pages/glass-page.tsx';

import { fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const origin = 'http://192.0.2.7:8888';

const draw = (glass: 'off' | 'trouble', summary: string, due: boolean): string => {
  const { setup } = fixtureStatus;
  const { renderer } = ofRenderer.example;
  if (renderer === null || setup === null) throw new Error('an example lacks the dashboard or the setup');
  const status: StatusDocument = {
    ...fixtureStatus,
    renderer: { ...renderer, restarts: [], glass, summary },
    setup: { ...setup, due },
  };
  return markupOf(<GlassPage status={status} origin={origin} leads={false} />);
};

describe.each(['off', 'trouble'] as const)('the calm page without a dashboard: %s', (glass) => {
  const summary = 'There is no display for 2.5 screens. Start Sconce with --renderer headless.';

  it('says what is wrong, and leaves commands to the page that a phone opens', () => {
    const markup = draw(glass, summary, false);
    expect(markup).toContain('There is no display for 2.5 screens.');
    expect(markup).not.toContain('--renderer');
    expect(markup).toContain('qr.svg?page=status');
    expect(markup).toMatch(/>:8888<\/span><span[^>]*>\/<\/span>/);
  });

  it('leads to the setup while that is due', () => {
    const markup = draw(glass, summary, true);
    expect(markup).toContain('qr.svg?page=setup');
    expect(markup).toContain('/setup</span>');
  });
});
