import { certificateAdvice, certificateFaultOf, isTlsAlert } from '../kit/certificate.ts';
import { localAddressAdvice } from '../kit/own-address.ts';
import type { ProbeFailure, ProbeTarget } from './events.ts';

/** True if the other side did not speak TLS, or not to its end. */
const isNotTls = (code: string): boolean =>
  code === 'EPROTO' || code === 'ECONNRESET' || code === 'handshake-timeout' || code.startsWith('ERR_SSL_');

/** Why nothing answered and what to do, for the owner; without the address. */
export function adviceOf(
  { error, code }: Pick<ProbeFailure, 'error' | 'code'>,
  { port, tls }: Pick<ProbeTarget, 'port' | 'tls'>,
): string {
  if (error === 'local-address') return localAddressAdvice('the broker');
  if (error === 'unresolvable')
    return "This name is not known on this network. Check its spelling, or enter the broker's IP address.";
  if (error === 'not-a-broker')
    return tls
      ? `Port ${port} answers, but not as an MQTT broker. Check the port, usually 8883.`
      : `Port ${port} answers, but not as an MQTT broker. Check the port, usually 1883; a broker that expects TLS has an address that begins with mqtts://.`;
  const fault = certificateFaultOf(code);
  if (fault !== null) return certificateAdvice(fault, 'the broker', '').detail.trim();
  if (isTlsAlert(code))
    return `Port ${port} answers with TLS, but refuses this panel. The broker must accept TLS 1.2 or newer and must not require a client certificate, since Sconce has none.`;
  if (tls && isNotTls(code))
    return `Port ${port} answers, but not with TLS. Enter the broker's port for TLS, usually 8883, or begin the address with mqtt://.`;
  if (code === 'ECONNREFUSED')
    return `Nothing listens on port ${port} there. Check the port, usually ${tls ? 8883 : 1883}, and that the broker runs.`;
  return "Nothing answers there. Check the address, and that the broker's machine is switched on and in this network.";
}
