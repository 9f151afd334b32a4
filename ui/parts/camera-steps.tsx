import { t } from '../strings/t.ts';
import type { BelowCard } from './card.ts';
import { CommandBox } from './command-box.tsx';

/** Port of the stream (contract, "Limits"). */
const STREAM_PORT = 8554;

/** Placeholder for an unknown address. */
const NO_HOST = '192.0.2.20';

/** A name as a key of YAML: one of digits alone would be read as a number. */
const keyOf = (panelId: string): string => (/^\d+$/.test(panelId) ? `"${panelId}"` : panelId);

/** The lines for go2rtc and Frigate; `id` is the panel's. */
export const linesOf = (stream: string, id: string) => ({
  go2rtc: `streams:
  ${keyOf(id)}: ${stream}
`,
  frigate: `cameras:
  ${keyOf(id)}:
    ffmpeg:
      inputs:
        - path: ${stream}
          roles:
            - detect
            - record
`,
});

/** The stream's address, and what to do with it in each program; for other screens than the panel's own. */
export function CameraSteps({ status, address }: BelowCard) {
  const { host = NO_HOST, isLoopback = false } = address ?? {};
  const stream = `rtsp://${host}:${status.camera.stream_port ?? STREAM_PORT}/live`;
  const { go2rtc, frigate } = linesOf(stream, status.panel.id);
  return (
    <details class="fold" id="camera-steps" data-elsewhere>
      <summary>
        <span class="fold-title">
          {t('camera.steps')}
          <span class="fold-hint">{t('camera.steps_hint')}</span>
        </span>
      </summary>
      <div class="fold-body">
        {address === null ? <p class="notice">{t('camera.no_address')}</p> : null}
        {isLoopback ? <p class="notice">{t('camera.loopback', { host })}</p> : null}
        <p>{t('camera.stream')}</p>
        <CommandBox text={stream} name={t('camera.copy.stream')} action={t('camera.copy.stream')} />
        <h3>{t('camera.generic')}</h3>
        <p>{t('camera.generic_steps')}</p>
        <h3>{t('camera.go2rtc')}</h3>
        <p>{t('camera.go2rtc_steps')}</p>
        <CommandBox text={go2rtc} name={t('camera.copy.go2rtc')} action={t('camera.copy.go2rtc')} />
        <h3>{t('camera.frigate')}</h3>
        <p>{t('camera.frigate_steps')}</p>
        <CommandBox text={frigate} name={t('camera.copy.frigate')} action={t('camera.copy.frigate')} />
      </div>
    </details>
  );
}
