const reasons = {
  200: 'OK',
  400: 'Bad Request',
  404: 'Not Found',
  406: 'Not Acceptable',
  413: 'Request Entity Too Large',
  454: 'Session Not Found',
  455: 'Method Not Valid In This State',
  459: 'Aggregate Operation Not Allowed',
  461: 'Unsupported Transport',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'RTSP Version Not Supported',
} as const;
type Status = keyof typeof reasons;

export interface Answer {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as sent; a null sequence is left out. */
export function formatAnswer({ status, headers = {}, body = '' }: Answer, sequence: number | null): string {
  const lines = [
    `RTSP/1.0 ${status} ${reasons[status]}`,
    ...(sequence === null ? [] : [`CSeq: ${sequence}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
