import type { Machine } from './machine.ts';

const folder = '/run/systemd/system/sconce-kiosk.service.d';

/**
 * Until the machine is started again the screen's unit is there and draws nothing, so that no browser starts with each
 * agent: for what is not about the screen.
 */
export const drawNothing = (machine: Machine): Promise<unknown> =>
  machine.run(
    'sh',
    '-euc',
    `mkdir -p ${folder}; printf '[Service]\\nExecStart=\\nExecStart=/usr/bin/sleep infinity\\n' >${folder}/nothing.conf; ` +
      'systemctl daemon-reload',
  );
