import type { ProbeFailure, ProbeTarget } from '../broker-probe/events.ts';
import { certificateAdvice, certificateFaultOf } from '../kit/certificate.ts';
import { isNotTls } from '../kit/not-tls.ts';

/** Where the address of Home Assistant leads, as a probe takes it. */
export const targetOf = (origin: string): Pick<ProbeTarget, 'host' | 'port' | 'tls'> => {
  const { hostname, port, protocol } = new URL(origin);
  const tls = protocol === 'https:';
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (tls ? 443 : 80) : Number(port), tls };
};

/** Why nothing answered at the address of Home Assistant and what to do, for the owner; without the address. */
export const addressAdvice = (
  { error, code }: Pick<ProbeFailure, 'error' | 'code'>,
  { port, tls }: Pick<ProbeTarget, 'port' | 'tls'>,
): string => {
  if (error === 'unresolvable')
    return 'The name in its address is not known on this network. Check its spelling, or use the IP address of Home Assistant.';
  const fault = certificateFaultOf(code);
  if (fault !== null) return certificateAdvice(fault, 'Home Assistant', '').detail.trim();
  if (tls && isNotTls(code))
    return `Port ${port} answers, but not with TLS. Begin the address with http://, or enter the port for https.`;
  if (code === 'ECONNREFUSED')
    return `Nothing listens on port ${port} at its address. Check the port, usually 8123, and that Home Assistant runs.`;
  return 'Nothing answers at its address. Check the address, and that Home Assistant runs and is in this network.';
};
