import type { Fix } from './verdict.ts';

/** Why a certificate was rejected; stable codes. */
export const certificateFaults = [
  // Signed by itself, or by an authority that the system does not know.
  'certificate-untrusted',
  // Expired, or not valid yet.
  'certificate-expired',
  'certificate-other-name',
  // Revoked, too weak, or not made for a server.
  'certificate-refused',
] as const;

export type CertificateFault = (typeof certificateFaults)[number];

/** Node's names of OpenSSL's X509_V_ERR codes (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const faults: ReadonlyMap<string, CertificateFault> = new Map<string, CertificateFault>([
  ...certificateFaults.map((fault) => [fault, fault] as const),
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
  ['CERT_REJECTED', 'certificate-refused'],
  ['CERT_SIGNATURE_FAILURE', 'certificate-refused'],
  ['CERT_CHAIN_TOO_LONG', 'certificate-refused'],
  ['PATH_LENGTH_EXCEEDED', 'certificate-refused'],
  ['INVALID_CA', 'certificate-refused'],
  ['INVALID_PURPOSE', 'certificate-refused'],
]);

/** The fault of a certificate, by the code of the failed connection; null if something else failed. */
export const certificateFaultOf = (code: string): CertificateFault | null => faults.get(code) ?? null;

/**
 * True if the peer ended the handshake with an alert of TLS (RFC 8446, section 6.2): it speaks TLS, but not with this
 * client. Under TLS 1.3 a missing client certificate is only reported after the handshake.
 */
export const isTlsAlert = (code: string): boolean => /^ERR_SSL_.*_ALERT_/.test(code);

/** The code shown for a failed connection: a certificate's fault by our own name, anything else unchanged. */
export const shownFailure = (code: string): string => certificateFaultOf(code) ?? code;

/** How to trust a certificate, without the full stop; the agent reads the system's list again each time. */
export const HOW_TO_TRUST =
  'Copy the certificate of its authority (or itself, if self-signed) to /usr/local/share/ca-certificates/NAME.crt on this panel and run sudo update-ca-certificates';

/** Advice to the owner on a rejected certificate. */
export interface CertificateAdvice {
  /** What is wrong and what to do. */
  readonly detail: string;
  readonly missing: string;
  readonly fix: Fix | null;
}

/** Advice to the owner on the certificate of `whom` ("the broker"); `then` says what happens after the repair. */
export function certificateAdvice(fault: CertificateFault, whom: string, then: string): CertificateAdvice {
  switch (fault) {
    case 'certificate-untrusted':
      return {
        detail: `The certificate of ${whom} is not trusted by this panel: it is self-signed, or its authority is not known here. ${HOW_TO_TRUST}; nothing has to be restarted. ${then}`,
        missing: 'A certificate that this panel trusts.',
        fix: {
          command: 'sudo update-ca-certificates',
          effect: 'Makes this machine trust the certificates that are in /usr/local/share/ca-certificates.',
        },
      };
    case 'certificate-expired':
      return {
        detail: `The certificate of ${whom} is not valid now: it has expired or is not valid yet, or the clock of this panel is wrong. Renew it or set the clock. ${then}`,
        missing: 'A certificate that is valid now.',
        fix: {
          command: 'timedatectl',
          effect: 'Shows the clock of this machine and whether it is synchronized; it changes nothing.',
        },
      };
    case 'certificate-other-name':
      return {
        detail: `The certificate of ${whom} is for a different name than the configured address. Enter the name it is for under Configure. ${then}`,
        missing: 'The name the certificate is for.',
        fix: null,
      };
    case 'certificate-refused':
      return {
        detail: `The certificate of ${whom} cannot be used: it is revoked, too weak, or not made for a server. Replace it there. ${then}`,
        missing: 'A certificate that can be used.',
        fix: null,
      };
  }
}
