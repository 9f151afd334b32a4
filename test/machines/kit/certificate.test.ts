import { describe, expect, it } from 'vitest';

import { certificateAdvice, certificateFaultOf, certificateFaults, shownFailure } from '#machines/kit/certificate.ts';

describe('the fault of a certificate', () => {
  it.each<readonly [string, string]>([
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate-untrusted'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate-untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate-untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT', 'certificate-untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate-untrusted'],
    ['CERT_UNTRUSTED', 'certificate-untrusted'],
    ['CERT_HAS_EXPIRED', 'certificate-expired'],
    ['CERT_NOT_YET_VALID', 'certificate-expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate-other-name'],
    ['HOSTNAME_MISMATCH', 'certificate-other-name'],
    ['CERT_REVOKED', 'certificate-refused'],
    ['INVALID_PURPOSE', 'certificate-refused'],
    ...certificateFaults.map((fault) => [fault, fault] as const),
  ])('%s is %s', (code, fault) => {
    expect(certificateFaultOf(code)).toBe(fault);
    expect(shownFailure(code)).toBe(fault);
  });

  it.each(['ECONNREFUSED', 'EPROTO', 'ETIMEDOUT', 'constructor', ''])('%j is none', (code) => {
    expect(certificateFaultOf(code)).toBeNull();
    expect(shownFailure(code)).toBe(code);
  });
});

describe('what an owner is told', () => {
  it.each(certificateFaults)('of %s says whose certificate it is, what is wrong and what to do', (fault) => {
    const { detail, missing } = certificateAdvice(fault, 'the broker', 'Sconce tries again by itself.');
    expect(detail).toMatch(/certificate of the broker\b.*(?:Copy|Renew|Enter|Replace) /);
    expect(missing).toMatch(/^(?:A|The) .*\.$/);
  });

  it('of an untrusted one names the file, the command and that nothing has to be restarted', () => {
    const { detail, fix } = certificateAdvice('certificate-untrusted', 'Home Assistant', 'Then sign in again.');
    expect(detail).toMatch(
      /\/usr\/local\/share\/ca-certificates\/NAME\.crt .* sudo update-ca-certificates; nothing has to be restarted\. Then sign in again\.$/,
    );
    expect(fix?.command).toBe('sudo update-ca-certificates');
  });

  it.each(certificateFaults)('of %s ends in what follows the repair', (fault) => {
    expect(certificateAdvice(fault, 'the broker', 'Then sign in again.').detail).toMatch(/ Then sign in again\.$/);
  });

  it('of one for another name gives no command, so that the page leads to where the address is set', () => {
    expect(certificateAdvice('certificate-other-name', 'the broker', '').fix).toBeNull();
  });
});
