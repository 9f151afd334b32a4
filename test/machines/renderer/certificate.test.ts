import { describe, expect, it } from 'vitest';

import { certificateFaults } from '#machines/kit/certificate.ts';
import { projectRenderer } from '#machines/renderer/project.ts';
import { catalogue } from '#ui/strings/catalogue.ts';
import { start } from './start.ts';

describe('a certificate of Home Assistant that the browser does not take', () => {
  it.each([
    ['certificate-untrusted', /certutil -d sql:\$HOME\/\.pki\/nssdb .*NAME\.crt$/],
    ['certificate-expired', /^timedatectl$/],
    ['certificate-other-name', null],
    ['certificate-refused', null],
  ] as const)('is named: %s', (fault, command) => {
    const { ready, settle, seen, show, facts } = start();
    ready();
    settle(fault);
    const { away, verdict, lastNavigation } = facts();
    expect(away?.reason).toBe(fault);
    expect(verdict).toMatchObject({
      state: 'needs_you',
      reason: fault,
      detail: expect.stringContaining('certificate of Home Assistant'),
    });
    if (command === null) expect(verdict.fix).toBeNull();
    else expect(verdict.fix?.command).toMatch(command);
    expect(lastNavigation).toMatchObject({ outcome: fault, message: expect.stringContaining('certificate') });
    expect(projectRenderer(facts(), { now: 2, startedAt: 1 })).toMatchObject({
      outcome: 'transport_failed',
      fault: 'tls_trust',
    });
    // Home Assistant answers the probe, which takes any certificate: the page is tried again.
    seen(true, 10);
    show();
    expect(facts()).toMatchObject({ away: null, phase: 'showing' });
  });

  it('has words for the calm page', () => {
    expect(certificateFaults.filter((fault) => !Object.hasOwn(catalogue, `glass.why.${fault}`))).toEqual([]);
  });
});
