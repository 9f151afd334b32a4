import { describe, expect, it } from 'vitest';

import type { ResetDocument } from '#machines/reset/document.ts';
import { ResetView, type ResetViewProps } from '#ui/parts/reset.tsx';

import { markupOf } from './markup.ts';

const nothing = { settings: 0, dashboards: 0, profiles: 0, happenings: 0 };
const doc: ResetDocument = {
  phase: 'idle',
  scope: null,
  trial: false,
  broker: 'connected',
  entities: 1,
  comes_back: [],
  choices: { connection: { ...nothing, settings: 2 }, settings: nothing, everything: nothing },
  last: null,
};
const draw = (props: Partial<ResetViewProps> = {}): string =>
  markupOf(
    <ResetView doc={doc} now={1_000_000} reachable={true} asked={null} ordered={false} silent={false} {...props} />,
  );
const last = { scope: 'settings', at: 990_000, finished: true, failure: null, left_behind: 0 } as const;

describe('the choices', () => {
  it('each say what goes and what stays, what of it there is now, and have one button', () => {
    const markup = draw();
    for (const scope of ['connection', 'settings', 'everything']) {
      expect(markup.match(new RegExp(`data-reset="${scope}"`, 'g'))).toHaveLength(1);
      expect(markup).toContain(`id="reset-${scope}"`);
    }
    expect(markup.match(/Removed/g)).toHaveLength(3);
    expect(markup.match(/Kept/g)).toHaveLength(3);
    expect(markup).toContain('Will be removed: 1 entity in Home Assistant, 2 changed settings.');
    expect(markup).toContain('The panel id, so your automations');
  });

  it('are off, and say why, where they would remove nothing', () => {
    const markup = draw({ doc: { ...doc, entities: 0 } });
    const off = (scope: string): string | undefined =>
      new RegExp(`data-reset="${scope}" data-off="([01])"`).exec(markup)?.[1];
    expect(['connection', 'settings', 'everything'].map(off)).toEqual(['0', '1', '1']);
    expect(markup).toContain('All settings are at their defaults.');
    expect(markup).toContain('Nothing to remove: this panel is like new.');
    const fresh = draw({ doc: { ...doc, entities: 0, choices: { ...doc.choices, connection: nothing } } });
    expect(fresh).toContain('Nothing to remove: no connection is set up.');
    expect(fresh).not.toContain('data-off="0"');
  });

  it('name what the start would save again', () => {
    const started = draw({ doc: { ...doc, comes_back: ['friendly_name', 'panel_id', 'ha_url'] } });
    expect(started.match(/These come back at the next start: [^<]*/g)).toEqual([
      'These come back at the next start: Home Assistant address.',
      'These come back at the next start: name, Home Assistant address.',
      'These come back at the next start: name, panel id, Home Assistant address.',
    ]);
    expect(draw({ doc: { ...doc, comes_back: ['friendly_name'] } }).match(/These come back/g)).toHaveLength(2);
  });

  it.each<[string, Partial<ResetViewProps>]>([
    ['a profile is being tried', { doc: { ...doc, trial: true } }],
    ['a reset is under way here', { asked: 'settings' }],
    ['one is under way elsewhere', { doc: { ...doc, phase: 'withdrawing', scope: 'settings' } }],
    ['the panel does not answer', { reachable: false }],
  ])('cannot be made while %s', (_, props) => expect(draw(props)).not.toContain('data-off="0"'));
});

describe('what is told', () => {
  it.each<[string, Partial<ResetViewProps>, string]>([
    ['withdrawing', { doc: { ...doc, phase: 'withdrawing', scope: 'connection' } }, 'Removing this panel’s entities'],
    ['asked for', { asked: 'connection' }, 'Removing this panel’s entities'],
    ['written down', { asked: 'connection', ordered: true }, 'Sconce is restarting'],
    ['away', { asked: 'connection', reachable: false }, 'Sconce is restarting'],
    ['away for long', { asked: 'connection', reachable: false, silent: true }, 'Start it the way you did before'],
    ['trial', { doc: { ...doc, trial: true } }, 'A profile is being tried'],
    ['done', { doc: { ...doc, last } }, 'All settings were reset'],
    ['left behind', { doc: { ...doc, last: { ...last, left_behind: 2 } } }, '2 devices of this panel stay'],
    [
      'unfinished',
      { doc: { ...doc, last: { ...last, finished: false, failure: 'EROFS' } } },
      'The disk refused it (EROFS)',
    ],
    ['unfinished, to be taken back', { doc: { ...doc, last: { ...last, finished: false } } }, 'data-cancel'],
  ])('%s', (_, props, words) => expect(draw(props)).toContain(words));

  it.each<[string, Partial<ResetViewProps>, boolean]>([
    ['stand open while there is nothing to tell', {}, false],
    ['are folded while one runs', { asked: 'settings' }, true],
    ['are folded once one is done', { doc: { ...doc, last } }, true],
  ])('the choices %s', (_, props, isFolded) => expect(draw(props).includes('data-choices')).toBe(isFolded));

  it('leads on once it is done, and no longer after a while', () => {
    expect(draw({ doc: { ...doc, last } })).toContain('href="/setup"');
    expect(draw({ doc: { ...doc, last }, now: last.at + 16 * 60_000 })).not.toContain('All settings were reset');
  });
});
