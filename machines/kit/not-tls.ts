/** Whether, by the code of the failed connection, what answered did not speak TLS, or not to its end. */
export const isNotTls = (code: string): boolean =>
  code === 'EPROTO' || code === 'ECONNRESET' || code === 'handshake-timeout' || code.startsWith('ERR_SSL_');
