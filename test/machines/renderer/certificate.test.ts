import { describe, expect, it } from 'vitest';

import { certificateFaults } from '#machines/kit/certificate.ts';
import { answerOf } from '#machines/renderer/navigation.ts';
import { rendererView } from '#machines/renderer/view.ts';
import { catalogue } from '#ui/strings/catalogue.ts';
import { desired, start } from './start.ts';

describe('a certificate of Home Assistant that the browser does not take', () => {
  it.each([
    // With C alone Chromium takes an authority, but no certificate that is signed by itself and is none.
    ['certificate-untrusted', /certutil -d sql:\$HOME\/\.pki\/nssdb -A -t CP,, .*NAME\.crt$/],
    ['certificate-expired', /^timedatectl$/],
    ['certificate-other-name', null],
    ['certificate-refused', null],
  ] as const)('is named: %s', (fault, command) => {
    const { ready, settle, seen, show, facts } = start();
    ready();
    settle(fault);
    const { unreachable: away, verdict, lastNavigation } = facts();
    expect(away?.reason).toBe(fault);
    expect(verdict).toMatchObject({
      state: 'needs_you',
      reason: fault,
      detail: expect.stringContaining('certificate of Home Assistant'),
    });
    if (command === null) expect(verdict.fix).toBeNull();
    else expect(verdict.fix?.command).toMatch(command);
    expect(lastNavigation).toMatchObject({ outcome: fault, message: expect.stringContaining('certificate') });
    expect(rendererView(facts(), { now: 2, startedAt: 1 })).toMatchObject({
      outcome: 'transport_failed',
      fault: 'tls_trust',
    });
    // Home Assistant answers the probe, which takes any certificate: the page is tried again.
    seen(true, 10);
    show();
    expect(facts()).toMatchObject({ unreachable: null, phase: 'showing' });
  });

  it.each(certificateFaults)('stays what is said while one try follows the other: %s', (fault) => {
    const { ready, settle, seen, facts } = start();
    ready();
    settle(fault);
    settle('shown', { path: '/glass' });
    const told = () => {
      const {
        state,
        outcome,
        fault: kind,
        fault_detail,
        away,
        glass,
        summary,
        action,
      } = rendererView(facts(), {
        now: 2,
        startedAt: 1,
      });
      return { verdict: facts().verdict, state, outcome, kind, fault_detail, away, glass, summary, action };
    };
    const first = told();
    expect(first).toMatchObject({ state: 'blocked', fault_detail: fault, glass: 'away' });
    for (let tries = 0; tries < 3; tries += 1) {
      seen(true, 10_000);
      expect(facts()).toMatchObject({ phase: 'loading', unreachable: null });
      expect(told()).toEqual(first);
      settle(fault);
      expect(facts().phase).toBe('waiting');
      expect(told()).toEqual(first);
    }
  });

  it.each([
    ['a load that is shown', ({ show }: ReturnType<typeof start>) => show()],
    ['a load that ends otherwise', ({ settle }: ReturnType<typeof start>) => settle('http-error', { status: 502 })],
    [
      'another address',
      ({ send }: ReturnType<typeof start>) =>
        send({ type: 'page.desired', desired: { ...desired, origin: 'http://new.test:8123' } }),
    ],
  ] as const)('is forgotten after %s', (_, end) => {
    const started = start();
    started.ready();
    started.settle('certificate-untrusted');
    started.seen(true, 10);
    expect(started.facts().certificate?.reason).toBe('certificate-untrusted');
    end(started);
    expect(started.facts().certificate).toBeNull();
    expect(started.facts().verdict.reason).not.toBe('certificate-untrusted');
  });

  it('gives way to a Home Assistant that no longer answers at all, and is said again with the next load', () => {
    const { ready, settle, seen, facts } = start();
    ready();
    settle('certificate-expired');
    seen(false);
    expect(facts().verdict.reason).toBe('platform-never-answered');
    seen(true, 10_000);
    expect(facts().verdict.reason).toBe('certificate-expired');
  });

  it('is what a command is answered with', () => {
    const { ready, settle, send, facts } = start();
    ready();
    settle('certificate-other-name');
    const before = facts();
    send({ type: 'renderer.reload', origin: 'http' });
    expect(answerOf(before, facts())).toEqual({
      ok: false,
      reason: 'not-here',
      message:
        'No dashboard is shown now. The certificate of Home Assistant is for another name. The page of this panel says what to do.',
    });
    send({ type: 'renderer.home', origin: 'http' });
    expect(facts().lastNavigation).toMatchObject({
      outcome: 'kept',
      message:
        'Kept: it is shown once the certificate is in order. The certificate of Home Assistant is for another name.',
    });
  });

  it('has words for the offline page', () => {
    expect(certificateFaults.filter((fault) => !Object.hasOwn(catalogue, `offline.why.${fault}`))).toEqual([]);
  });
});
