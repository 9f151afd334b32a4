import { t } from '../strings/t.ts';
import { Note } from './note.tsx';

/** The button that takes a picture of the camera, and the place where its script shows it. */
export const TakePicture = () => (
  <div data-control>
    <div class="camera-shot" data-shot data-keep></div>
    <div class="control-buttons">
      <button type="button" class="button" data-camera="take" disabled>
        {t('camera.take')}
      </button>
    </div>
    <Note />
  </div>
);

/** A picture that was taken, `data` as a `data:` address; it goes with the page. */
export const CameraPicture = ({ data, time }: { readonly data: string; readonly time: string }) => (
  <div>
    <img src={data} alt={t('camera.picture', { time })} />
    <div class="card-head">
      <span>{t('camera.taken', { time })}</span>
      <button type="button" class="button quiet" data-camera="hide">
        {t('camera.hide')}
      </button>
    </div>
  </div>
);
