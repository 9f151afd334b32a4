import type { JSX } from 'hono/jsx/jsx-runtime';
import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { clock } from '../strings/times.ts';
import type { BareCard } from './card.ts';
import { iconRef } from './icon.tsx';
import { rowWord } from './link-state.ts';
import { hasPicture, PanelPicture, screenBox } from './screen-picture.tsx';
import type { Sections } from './sections.ts';

const reads = ['panel', 'screen', 'volume', 'capabilities', 'renderer'] as const;

interface Face {
  /** `shown`: a dashboard is shown on a screen whose light nothing here can switch. */
  readonly mode: 'lit' | 'dark' | 'shown' | 'unknown' | 'none';
  /** 1 to 100; null while unknown. */
  readonly percent: number | null;
}

/** Brightness 0 to 255 as a whole percentage, 0 only without light; all pages round this way. */
export const brightnessPercent = (level: number): number =>
  level <= 0 ? 0 : Math.max(1, Math.round((level / 255) * 100));

function faceOf(screen: StatusDocument['screen'], isShown: boolean): Face {
  if (screen === null || screen.state === 'not_here' || screen.state === 'needs_you')
    return { mode: isShown ? 'shown' : 'none', percent: null };
  if (screen.lit === null) return { mode: 'unknown', percent: null };
  if (!screen.lit) return { mode: 'dark', percent: null };
  return { mode: 'lit', percent: screen.brightness === null ? null : brightnessPercent(screen.brightness) };
}

function screenWords(face: Face): string {
  if (face.mode === 'none') return t('drawing.screen_none');
  if (face.mode === 'unknown') return t('drawing.screen_unknown');
  if (face.mode === 'shown') return t('drawing.screen_shown');
  if (face.mode === 'dark') return t('drawing.screen_off');
  return face.percent === null ? t('drawing.screen_on_unknown') : t('drawing.screen_on', { percent: face.percent });
}

function soundWords(volume: StatusDocument['volume']): string {
  if (volume === null || volume.percent === null) return t('drawing.sound_none');
  return volume.muted === true ? t('drawing.sound_muted') : t('drawing.sound', { percent: volume.percent });
}

const Tile = (props: {
  readonly x: number;
  readonly icon: IconName;
  readonly label: string;
  readonly value: string;
  readonly fill: number | null;
  readonly on: boolean;
}) => (
  <g transform={`translate(${props.x} 246)`} class={props.on ? 'tile tile-on' : 'tile'}>
    <rect class="tile-back" width="170" height="116" rx="18" />
    <use class="tile-icon" href={iconRef(props.icon)} x="14" y="16" width="34" height="34" />
    <text class="tile-value" x="154" y="43" text-anchor="end">
      {props.value}
    </text>
    <text class="tile-label" x="16" y={props.fill === null ? 76 : 84}>
      {props.label}
    </text>
    {props.fill === null ? null : (
      <>
        <rect class="tile-track" x="16" y="96" width="138" height="6" rx="3" />
        <rect class="tile-fill" x="16" y="96" width={Math.max(6, Math.round(1.38 * props.fill))} height="6" rx="3" />
      </>
    )}
  </g>
);

function Picture({
  status,
  face,
  now,
}: {
  readonly status: Sections<'panel' | 'volume' | 'capabilities'>;
  readonly face: Face;
  readonly now: number;
}) {
  const volume = status.volume;
  const link = rowWord(status, 'platform');
  const soundValue =
    volume?.muted === true
      ? t('drawing.tile.muted')
      : volume?.percent == null
        ? t('drawing.tile.unknown')
        : `${volume.percent} %`;
  // The eye perceives a fifth of the light as about half as bright, so the picture dims with the square root.
  const seen = face.percent === null ? 0.8 : 0.3 + 0.7 * Math.sqrt(face.percent / 100);
  return (
    <g class="picture" opacity={seen.toFixed(2)}>
      <rect class="picture-back" {...screenBox} rx="14" />
      <rect class="picture-warmth" {...screenBox} rx="14" fill="url(#warmth)" />
      <text class="picture-clock" data-clock x="104" y="160">
        {clock(now)}
      </text>
      <text class="picture-name" x="106" y="208">
        {status.panel.name.length > 26 ? `${status.panel.name.slice(0, 25)}…` : status.panel.name}
      </text>
      <g transform="translate(0 44)">
        <Tile
          x={92}
          icon="mdi:brightness-5"
          label={t('drawing.tile.screen')}
          value={face.percent === null ? t('drawing.tile.unknown') : `${face.percent} %`}
          fill={face.percent}
          on={true}
        />
        <Tile
          x={275}
          icon={volume?.muted === true ? 'mdi:volume-off' : 'mdi:volume-high'}
          label={t('drawing.tile.sound')}
          value={soundValue}
          fill={volume?.percent ?? null}
          on={volume?.percent != null && volume.percent > 0 && volume.muted !== true}
        />
        <Tile
          x={458}
          icon="mdi:home-assistant"
          label={t('drawing.tile.home')}
          value=""
          fill={null}
          on={link === 'working'}
        />
        <text class={link === 'working' ? 'tile-word tile-on-word' : 'tile-word'} x="474" y="348">
          {t(`state.${link}`)}
        </text>
      </g>
    </g>
  );
}

export interface DrawingProps {
  readonly status: Sections<'panel' | 'screen' | 'volume' | 'capabilities'>;
  readonly now: number;
  /** Appended to the drawing's label. */
  readonly words?: string;
  /** Drawn on the screen, in the units of the frame (720 by 480). */
  readonly picture?: JSX.Element | null;
  /** Drawn over the panel, in the units of its frame (720 by 480). */
  readonly children?: JSX.Element;
}

/** The live drawing of the panel: the light it casts, its screen, and its known hardware. */
export function PanelDrawing({ status, now, words = '', picture = null, children }: DrawingProps) {
  const face = faceOf(status.screen, picture !== null);
  const glow = face.mode === 'lit' ? 0.12 + 0.88 * ((face.percent ?? 60) / 100) : 0;
  const label = t('drawing.label', {
    name: status.panel.name,
    screen: screenWords(face),
    sound: soundWords(status.volume),
  });
  return (
    <svg class="panel" viewBox="-44 -28 808 536" role="img" aria-label={`${label}${words}`}>
      <defs>
        <radialGradient id="halo" cx="50%" cy="50%" r="50%">
          <stop class="halo-core" offset="0.5" />
          <stop class="halo-middle" offset="0.74" />
          <stop class="halo-edge" offset="1" />
        </radialGradient>
        <radialGradient id="warmth" cx="22%" cy="0%" r="95%">
          <stop class="warmth-core" offset="0" />
          <stop class="warmth-edge" offset="1" />
        </radialGradient>
        <linearGradient id="sheen" x1="0" y1="0" x2="1" y2="1">
          <stop class="sheen-core" offset="0" />
          <stop class="sheen-edge" offset="0.55" />
        </linearGradient>
      </defs>
      <ellipse class="halo" cx="360" cy="240" rx="470" ry="345" fill="url(#halo)" opacity={glow.toFixed(2)} />
      <rect class="body-shadow" x="48" y="40" width="624" height="416" rx="34" />
      <rect class="body" x="48" y="32" width="624" height="416" rx="34" />
      <rect class="body-rim" x="49.5" y="33.5" width="621" height="413" rx="32.5" />
      <rect class="glass" {...screenBox} rx="14" />
      <g>
        {face.mode === 'lit' || face.mode === 'shown' ? (
          <Picture status={status} face={face} now={now} />
        ) : (
          <>
            {face.mode === 'dark' ? null : <rect class="glass-empty" x="84" y="68" width="552" height="344" rx="10" />}
            <text class="glass-word" x="360" y="252" text-anchor="middle">
              {t(`drawing.${face.mode === 'dark' ? 'off' : face.mode}`)}
            </text>
          </>
        )}
      </g>
      {picture}
      <path
        class="sheen"
        d="M86 56 H420 L250 424 H86 A14 14 0 0 1 72 410 V70 A14 14 0 0 1 86 56 Z"
        fill="url(#sheen)"
      />
      {children}
    </svg>
  );
}

/** The card of the drawing, with what the screen shows. */
export const drawingCard = {
  name: 'drawing',
  reads,
  place: 'hero',
  draw: ({ status, now }) => (
    <PanelDrawing status={status} now={now} picture={hasPicture(status) ? <PanelPicture /> : null} />
  ),
} as const satisfies BareCard<typeof reads>;
