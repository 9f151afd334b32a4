import type { PipelinesDocument } from '#machines/voice/document.ts';
import { t } from '../strings/t.ts';
import { Note } from './note.tsx';
import type { Pipeline } from './voice-facts.ts';

interface Row {
  readonly id: string;
  readonly label: string;
  readonly isChosen: boolean;
  /** Null for one that is preferred by nothing known. */
  readonly pipeline: Pipeline | null;
}

/** Why a pipeline cannot be used, or lacks something. */
function lackOf({ hears, speaks, name }: Pipeline): string | null {
  if (!hears) return t('voice.pipelines.deaf', { name });
  return speaks ? null : t('voice.pipelines.mute');
}

function Choice({ row: { id, label, isChosen, pipeline } }: { readonly row: Row }) {
  const lack = pipeline === null ? null : lackOf(pipeline);
  return (
    <label class="voice-choice">
      <input
        type="radio"
        name="voice-press"
        value={id}
        checked={isChosen}
        data-voice-set={pipeline?.hears === false && !isChosen ? undefined : 'press'}
        disabled
      />
      <span>
        {label}
        {lack === null ? null : <span class="hint"> {lack}</span>}
      </span>
    </label>
  );
}

/** The choices: the preferred one, and each by its name. */
function rowsOf({ pipelines, preferred, press }: PipelinesDocument): readonly Row[] {
  const favourite = pipelines.find(({ id }) => id === preferred) ?? null;
  const isGone = press !== null && !pipelines.some(({ id }) => id === press);
  return [
    {
      id: '',
      label:
        favourite === null
          ? t('voice.pipelines.preferred')
          : t('voice.pipelines.preferred_named', { name: favourite.name }),
      isChosen: press === null || isGone,
      pipeline: favourite,
    },
    ...pipelines.map((pipeline) => ({
      id: pipeline.id,
      label: pipeline.name,
      isChosen: pipeline.id === press,
      pipeline,
    })),
  ];
}

/** The pipelines of Home Assistant, and which of them answers a press of the button. */
export const VoicePipelines = ({ pipelines }: { readonly pipelines: PipelinesDocument | null }) => (
  <section class="card stack" aria-labelledby="voice-pipelines">
    <h2 id="voice-pipelines">{t('voice.pipelines')}</h2>
    {pipelines === null ? (
      <p class="hint">{t('voice.pipelines.unknown')}</p>
    ) : (
      <div class="voice-more" data-control>
        <Note />
        {pipelines.press !== null && !pipelines.pipelines.some(({ id }) => id === pipelines.press) ? (
          <p class="notice">{t('voice.pipelines.gone')}</p>
        ) : null}
        <p class="hint" id="voice-press">
          {t('voice.pipelines.help')}
        </p>
        <div role="radiogroup" aria-labelledby="voice-press">
          {rowsOf(pipelines).map((row) => (
            <Choice key={row.id} row={row} />
          ))}
        </div>
      </div>
    )}
  </section>
);
