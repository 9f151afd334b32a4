import type { SettledOutcome } from '#machines/renderer/events.ts';

/** Chromium's net errors about certificates (`net/base/net_error_list.h`); the others refuse the certificate itself. */
const certificateErrors: ReadonlyMap<string, SettledOutcome> = new Map<string, SettledOutcome>([
  ['net::ERR_CERT_AUTHORITY_INVALID', 'certificate-untrusted'],
  ['net::ERR_CERT_DATE_INVALID', 'certificate-expired'],
  ['net::ERR_CERT_COMMON_NAME_INVALID', 'certificate-other-name'],
]);

/** How a load ended that Chromium could not make, by its net error. */
export const netErrorOutcome = (error: string): SettledOutcome =>
  certificateErrors.get(error) ?? (error.startsWith('net::ERR_CERT_') ? 'certificate-refused' : 'unreachable');
