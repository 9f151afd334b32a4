import { certificateAdvice, certificateFaultOf } from './certificate.ts';
import { localAddressAdvice } from './own-address.ts';

/** The result of one probe of an address of Home Assistant. */
export type HomeOutcome =
  /** Home Assistant answered there. */
  | { readonly status: 'answered' }
  | {
      readonly status: 'failed';
      /**
       * `not-home-assistant`: something else answered. `elsewhere`: it redirects to another address. `local-address`:
       * no connection was tried (`isLocalAddress`).
       */
      readonly error: 'unresolvable' | 'unreachable' | 'not-home-assistant' | 'elsewhere' | 'local-address';
      /** Node's or OpenSSL's code, or `http-503`; never an address. */
      readonly code: string;
    };

/** True if the server at an https address does not speak TLS. */
const isNotTls = (code: string): boolean => code === 'EPROTO' || code.startsWith('ERR_SSL_');

/** TCP port of an origin, explicit or the scheme's default. */
function portOf(origin: string): string {
  const { port, protocol } = new URL(origin);
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

/**
 * What was found and what to do if it is not Home Assistant; without the address. Pass `origin` only if the text goes
 * to the person who entered it: then it names the port.
 */
export function adviceOf(outcome: HomeOutcome, origin?: string): string {
  if (outcome.status === 'answered') return 'Home Assistant answers there.';
  const { error, code } = outcome;
  if (error === 'local-address') return localAddressAdvice('Home Assistant');
  if (error === 'unresolvable')
    return 'This name is not known on this network. Check its spelling, or enter the IP address of Home Assistant.';
  if (error === 'elsewhere')
    return 'This address redirects to another one. Enter the one that your browser shows once Home Assistant is open.';
  if (error === 'not-home-assistant')
    return 'Something answers there, but it is not Home Assistant. Check the port, usually 8123.';
  const fault = certificateFaultOf(code);
  if (fault !== null) return certificateAdvice(fault, 'Home Assistant', '').detail.trim();
  if (isNotTls(code)) return 'That port does not speak https. Begin the address with http://, or check the port.';
  if (code === 'ECONNREFUSED') {
    const port = origin === undefined ? 'that port' : `port ${portOf(origin)} there`;
    return `Nothing listens on ${port}. Check the port, usually 8123, and that Home Assistant runs.`;
  }
  return 'Nothing answers there. Check the address, and that Home Assistant runs and is in this network.';
}
