import { describe, expect, it } from 'vitest';
import { descriptors } from '#machines/settings.ts';
import type { StatusDocument } from '#machines/status.ts';
import { SettingShield } from '#ui/parts/shield.tsx';
import { securityParts, Unshown } from '#ui/parts/security.tsx';
import { SimulatedMode, SimulatedQuestion } from '#ui/parts/simulator-question.tsx';
import { fixtureStatus } from './fixture.ts';
import { markupOf } from './markup.ts';

const withSecurity = (security: Partial<StatusDocument['security']>): StatusDocument => ({
  ...fixtureStatus,
  security: {
    ...fixtureStatus.security,
    place: 'screen',
    place_reason: null,
    place_detail: null,
    mode: 'relaxed',
    ...security,
  },
});
const draw = (part: keyof typeof securityParts, status: StatusDocument): string =>
  markupOf(securityParts[part].draw({ status }));

describe('the page Security', () => {
  it('offers the other mode on the panel’s own screen, and the command for a broken screen', () => {
    const relaxed = draw('security-mode', withSecurity({}));
    expect(relaxed).toContain('Relaxed mode');
    expect(relaxed).toMatch(/data-wants="hardened" hidden/);
    expect(relaxed).not.toContain('sconce approvals');
    const hardened = draw('security-mode', withSecurity({ mode: 'hardened' }));
    expect(hardened).toMatch(/data-wants="relaxed" hidden/);
    expect(hardened).toContain('bin/sconce approvals --relaxed');
    expect(draw('security-mode', withSecurity({ mode: null }))).not.toContain('data-wants');
    expect(draw('security-mode', withSecurity({ place: 'simulator' }))).toContain('href="/simulator"');
    expect(draw('security-mode', withSecurity({ place: 'none' }))).toContain('now it cannot ask');
  });

  it('counts what waits, says why the panel cannot ask, and what bars approving', () => {
    expect(draw('security-asking', withSecurity({}))).toContain('No request waits.');
    expect(draw('security-asking', withSecurity({ pending: 2 }))).toContain('2 requests wait');
    expect(draw('security-asking', withSecurity({ place: 'none', place_detail: 'No browser.' }))).toContain(
      'No browser.',
    );
    const vnc = { code: 'vnc', message: 'A VNC server can be reached.', command: 'sudo ss -ltnp' } as const;
    const words = draw('security-asking', withSecurity({ barred: [vnc] }));
    expect(words).toContain('A VNC server can be reached.');
    expect(words).toContain('sudo ss -ltnp');
  });

  it('offers what waits unshown on the panel’s own screen, and tells others only that something does', () => {
    const words = markupOf(<Unshown status={withSecurity({ pending: 3 })} />);
    expect(words).toMatch(/data-wants="questions" hidden/);
    expect(words).toContain('<p data-elsewhere="true">A request waits at the panel.</p>');
    for (const security of [{ pending: 0 }, { pending: 3, asking: true }, { pending: 3, place: 'none' as const }])
      expect(markupOf(<Unshown status={withSecurity(security)} />)).toBe('');
  });
});

describe('the shield of a setting', () => {
  const item = { ...descriptors[0]!, consent: null, protects: null };
  it.each([
    ['none where nothing is asked', item, null],
    ['for Hardened mode', { ...item, protects: () => 'X' }, 'Asks at the panel in Hardened mode'],
    ['for every mode', { ...item, consent: 'X' }, 'Asks at the panel in every mode'],
  ])('%s', (_, of, words) => {
    const drawn = markupOf(<SettingShield item={of} />);
    if (words === null) expect(drawn).toBe('');
    else expect(drawn).toContain(words);
  });
});

describe('the simulated panel', () => {
  it('shows the question with its answers, and the other mode', () => {
    const shown = {
      id: 'a'.repeat(32),
      kind: 'operation' as const,
      title: 'Reboot the <panel>',
      consequence: '',
      code: null,
    };
    const words = markupOf(<SimulatedQuestion shown={shown} barred={[]} />);
    expect(words).toContain('Reboot the &lt;panel&gt;');
    expect(words).toContain('data-hold');
    expect(markupOf(<SimulatedQuestion shown={{ ...shown, kind: 'enter-hardened' }} barred={[]} />)).toContain(
      'Use Hardened mode?',
    );
    expect(markupOf(<SimulatedQuestion shown={null} barred={[]} />)).toBe('');
    expect(markupOf(<SimulatedMode mode="hardened" pending={1} shown={shown} />)).toContain('data-mode="relaxed"');
    expect(markupOf(<SimulatedMode mode={null} pending={0} shown={null} />)).toBe('');
  });

  it('says what bars approving, and offers what was left untouched', () => {
    const shown = { id: 'a'.repeat(32), kind: 'operation' as const, title: 'Reboot', consequence: '', code: null };
    const vnc = { code: 'vnc', message: 'A VNC server can be reached.', command: null } as const;
    expect(markupOf(<SimulatedQuestion shown={shown} barred={[vnc]} />)).toContain('A VNC server can be reached.');
    const offers = (pending: number, of: typeof shown | null): boolean =>
      markupOf(<SimulatedMode mode="hardened" pending={pending} shown={of} />).includes('data-questions="show"');
    expect([offers(1, null), offers(1, shown), offers(0, null)]).toEqual([true, false, false]);
  });
});
