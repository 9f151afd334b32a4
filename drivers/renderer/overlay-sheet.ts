/** The panel's accent, and the ink on it; the page under the overlay gets none of the panel's own styles. */
const ACCENT = '#f2a948';
const INK = '#231400';
/** Seconds of one pulse, and of one step of the dashes: slower than one in two seconds, so that it stays calm. */
const PULSE_S = 4;
/** Length of a dash and its gap, in CSS pixels. */
const PERIOD_PX = 240;

/** Glow, line or dashes, and what takes a touch, of one side. The line begins before the side, for dashes that move. */
function side(name: string, inward: string): string {
  const isRow = name === 'top' || name === 'bottom';
  const [start, length, thickness, along] = isRow
    ? ['left', 'width', 'height', '90deg']
    : ['top', 'height', 'width', '180deg'];
  return (
    `.${name},.${name}::before,.${name} .hit{${name}:0;${start}:0;${length}:100%}` +
    `.${name}{${thickness}:72px}.${name} .hit{${thickness}:24px}` +
    `.${name}::before{${thickness}:var(--glow);background:linear-gradient(${inward},var(--soft),transparent)}` +
    `.${name}::after{${name}:0;${start}:-${PERIOD_PX}px;${length}:calc(100% + ${PERIOD_PX}px);${thickness}:var(--line);` +
    'background:var(--tone)}' +
    `[data-phase=processing] .${name}::after{background:repeating-linear-gradient(${along},` +
    `var(--faint),var(--tone) ${PERIOD_PX * 0.4}px,var(--tone) ${PERIOD_PX * 0.6}px,var(--faint) ${PERIOD_PX}px)}`
  );
}

/**
 * Styles of the overlay, in Chromium 83 and later. Only thin strips are animated, by opacity and position, since a
 * panel may have no graphics processor. Each phase has a shape of its own: a solid line, soft dashes that
 * move, a broad band.
 */
export const OVERLAY_SHEET =
  '*,*::before,*::after{box-sizing:border-box}[hidden]{display:none!important}' +
  '.layer{--tone:hsl(var(--hue),92%,58%);--soft:hsla(var(--hue),92%,58%,.5);--faint:hsla(var(--hue),92%,58%,.15);--line:6px;--glow:36px;' +
  'position:fixed;top:0;right:0;bottom:0;left:0;pointer-events:none;font:400 20px/1.35 system-ui,sans-serif;color-scheme:light dark}' +
  '.edge,.edge::before,.edge::after,.hit{position:absolute;display:block}' +
  '.edge{overflow:hidden;opacity:0;transition:opacity .15s}.tinted .edge{opacity:1}' +
  '.edge::before,.edge::after{content:""}' +
  '.hit{display:none;pointer-events:auto;touch-action:none}.tinted .hit{display:block}' +
  side('top', '180deg') +
  side('right', '270deg') +
  side('bottom', '0deg') +
  side('left', '90deg') +
  '[data-phase=processing]{--line:8px;--glow:20px}' +
  '[data-phase=responding]{--line:14px;--glow:72px}' +
  '@media(prefers-reduced-motion:no-preference){' +
  `.tinted .edge::before{animation:pulse ${PULSE_S}s ease-in-out infinite}` +
  `[data-phase=processing] .top::after,[data-phase=processing] .bottom::after{animation:row ${PULSE_S}s linear infinite}` +
  `[data-phase=processing] .left::after,[data-phase=processing] .right::after{animation:column ${PULSE_S}s linear infinite}` +
  '[data-phase=processing] .bottom::after,[data-phase=processing] .left::after{animation-direction:reverse}}' +
  '@keyframes pulse{50%{opacity:.35}}' +
  `@keyframes row{to{transform:translateX(${PERIOD_PX}px)}}@keyframes column{to{transform:translateY(${PERIOD_PX}px)}}` +
  // The button.
  '.speak{position:absolute;right:calc(20px + env(safe-area-inset-right,0px));bottom:calc(20px + env(safe-area-inset-bottom,0px));' +
  'display:flex;align-items:center;justify-content:center;width:56px;height:56px;margin:0;padding:0;border-radius:50%;' +
  'border:1px solid rgba(0,0,0,.12);background:#fff;color:#8a5200;box-shadow:0 2px 10px rgba(0,0,0,.28);pointer-events:auto;' +
  'touch-action:none;user-select:none;-webkit-user-select:none;-webkit-tap-highlight-color:transparent;outline:0;' +
  'transition:transform .1s,background-color .15s,color .15s;cursor:inherit}' +
  '.speak svg{width:28px;height:28px;fill:currentColor;pointer-events:none}' +
  `.speak.down,.tinted .speak{background:${ACCENT};border-color:${ACCENT};color:${INK}}` +
  '.speak.down{transform:scale(.94)}' +
  `.speak:focus-visible{box-shadow:0 0 0 3px ${INK},0 0 0 6px ${ACCENT}}` +
  '.fault{display:none;position:absolute;top:-4px;right:-4px;width:22px;height:22px;border-radius:50%;background:#b3392e;color:#fff;' +
  'font:700 15px/22px system-ui,sans-serif;text-align:center}[data-phase=error] .fault{display:block}' +
  // The words.
  '.words{position:absolute;left:50%;transform:translateX(-50%);bottom:calc(24px + env(safe-area-inset-bottom,0px));' +
  'width:max-content;max-width:min(680px,100% - 48px);padding:16px 20px;border-radius:12px;background:#fff;color:#1d1a17;' +
  'box-shadow:0 4px 24px rgba(0,0,0,.3);border:1px solid rgba(0,0,0,.08)}' +
  '.buttoned .words{bottom:calc(92px + env(safe-area-inset-bottom,0px))}' +
  '.words p{margin:0;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:6;overflow:hidden;overflow-wrap:anywhere}' +
  '.words p:empty{display:none}.words .heard{-webkit-line-clamp:2}.heard{font-size:16px;color:#6b645c}.heard+.answer:not(:empty){margin-top:8px}' +
  '.heard:empty+.answer{margin-top:0}' +
  '@media(prefers-color-scheme:dark){' +
  `.speak{background:#2b2723;border-color:rgba(255,255,255,.14);color:${ACCENT}}` +
  '.words{background:#221f1c;color:#f4efe8;border-color:rgba(255,255,255,.1)}.heard{color:#b5aca1}}' +
  '@media(prefers-reduced-motion:reduce){.edge,.speak{transition:none}}';
