import type { SimulatedCamera } from '#machines/simulator/events.ts';
import type { StatusDocument } from '#machines/status.ts';
import { t } from '../strings/t.ts';
import { cameraIs } from './camera-facts.ts';
import { TakePicture } from './camera-picture.tsx';
import { Sentence } from './sentence.tsx';
import { Toggle } from './simulator-controls.tsx';

/** What can be done to it, in the order of its card. */
const states = [
  'plugged',
  'blind',
  'jammed',
  'occupied',
  'permitted',
] as const satisfies readonly (keyof SimulatedCamera)[];

const yesNo = (yes: boolean): string => (yes ? t('sim.yes') : t('sim.no'));

/** The simulated camera: what is done to it, how the panel sees that, and a picture of what it films. */
export const SimulatedCameraCard = ({
  status,
  camera,
}: {
  readonly status: StatusDocument;
  readonly camera: SimulatedCamera;
}) => (
  <section class="card" aria-labelledby="sim-camera-title">
    <h2 id="sim-camera-title">{t('sim.camera')}</h2>
    <p class="hint">
      <Sentence text={status.camera.summary} />
    </p>
    <div class="control-body">
      {states.map((state) => (
        <Toggle
          key={state}
          id={`camera-${state}`}
          label={t(`sim.camera.${state}`)}
          words={yesNo(camera[state])}
          on={camera[state]}
          touch="camera"
          of={state}
        />
      ))}
    </div>
    <sconce-camera>
      {cameraIs(status) === 'on' ? <TakePicture /> : <p class="hint">{t('sim.camera_off')}</p>}
    </sconce-camera>
  </section>
);
