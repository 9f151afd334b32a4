import { t } from '../strings/t.ts';

/** Longest sentence that is spoken, in characters. */
const SENTENCE = 200;

/** What is said to the panel. Its script draws it, and keeps what is typed while the page is redrawn. */
export const SayForm = () => (
  <form class="sim-say" novalidate autocomplete="off">
    <label class="label" for="sim-say">
      {t('sim.say')}
    </label>
    <div class="sim-say-row">
      <input class="input" id="sim-say" name="text" maxlength={SENTENCE} aria-describedby="sim-say-help" />
      <button type="submit" class="button">
        {t('sim.say_go')}
      </button>
    </div>
    <label class="sim-say-file">
      <span class="hint">{t('sim.say_file')}</span>
      <input type="file" name="file" accept=".wav,audio/wav,audio/x-wav" />
    </label>
    <p class="hint" id="sim-say-help">
      {t('sim.say_help')}
    </p>
    <p class="said" role="status"></p>
  </form>
);
