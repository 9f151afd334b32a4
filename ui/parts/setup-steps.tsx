import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { Command } from './command.tsx';
import { Icon } from './icon.tsx';
import { addressFails } from './link-state.ts';
import { Sentence } from './sentence.tsx';
import type { StateWord } from './state-mark.tsx';

type Setup = NonNullable<StatusDocument['setup']>;
type Step = Setup['steps'][number];

/** The steps of the setup, in their order. */
export const setupStages = [
  'identity',
  'home_assistant',
  'broker',
  'renderer',
  'home_dashboard',
  'entity_filter',
] as const satisfies readonly Step['stage'][];

/** One of them. */
export type SetupStage = (typeof setupStages)[number];

const looks: Readonly<Record<Step['status'], readonly [IconName, StateWord]>> = {
  done: ['check-circle', 'working'],
  needs_you: ['alert', 'needs_you'],
  checking: ['progress-clock', 'checking'],
  blocked: ['circle-outline', 'off'],
  put_off: ['circle-outline', 'off'],
  not_here: ['circle-off-outline', 'not_here'],
};

/** A step as the status has it; undefined while the agent starts. */
export const stepIn = (status: StatusDocument, stage: SetupStage): Step | undefined =>
  status.setup?.steps.find((step) => step.stage === stage);

/** Whether something was tried for a step and failed: that calls for a person wherever they are. */
const hasFailed = (status: StatusDocument, stage: SetupStage): boolean =>
  stage === 'broker'
    ? ['auth_failed', 'unreachable', 'config_error'].includes(status.mqtt?.phase ?? '')
    : stage === 'home_assistant' && (status.sign_in?.phase === 'refused' || addressFails(status));

/** The steps that are left: they wait for a person, or for another step. */
const stepsLeft = ({ setup }: StatusDocument): readonly Step[] =>
  (setup?.steps ?? []).filter(({ status }) => status === 'needs_you' || status === 'blocked');

/** The steps that a person put off, each by itself or with all others. */
const stepsLater = ({ setup }: StatusDocument): readonly Step[] =>
  (setup?.steps ?? []).filter(({ status }) => status === 'put_off');

/** Everything that is not done, those that were put off last. */
export const stepsToDo = (status: StatusDocument): readonly Step[] => [...stepsLeft(status), ...stepsLater(status)];

/** Whether what is left can be put off as a whole. */
export const mayWait = (status: StatusDocument): boolean =>
  status.setup?.put_off === false && stepsLeft(status).length > 0;

/** Whether a person still has a step to do here, and nobody said that it can wait. */
export const isPending = ({ setup }: StatusDocument): boolean =>
  setup !== null &&
  !setup.complete &&
  !setup.put_off &&
  setup.steps.some(({ status }) => status === 'needs_you' || status === 'checking');

/** One step at a time calls for a person; those after it are still to do. */
const Mark = ({ status, stage }: { readonly status: StatusDocument; readonly stage: SetupStage }) => {
  const state = stepIn(status, stage)?.status ?? 'checking';
  const isLater = state === 'needs_you' && status.setup?.next !== stage && !hasFailed(status, stage);
  const [icon, look] = looks[isLater ? 'blocked' : state];
  return (
    <span class={`mark mark-${look}`}>
      <Icon name={icon} size={20} />
      <span class="mark-word">{t(`setup.state.${isLater ? 'to_do' : state}`)}</span>
    </span>
  );
};

const Detail = ({ status, stage }: { readonly status: StatusDocument; readonly stage: SetupStage }) => {
  const step = stepIn(status, stage);
  const detail = <Sentence text={step?.detail ?? t('setup.starting')} />;
  const fix =
    stage === 'renderer' && step?.status === 'needs_you'
      ? (status.capabilities.find(({ id }) => id === 'dashboard')?.fix ?? null)
      : null;
  return (
    <div class="setup-detail">
      {step?.status !== 'done' && hasFailed(status, stage) ? (
        <p class="refusal">
          <Icon name="alert" />
          <span>{detail}</span>
        </p>
      ) : (
        <p>{detail}</p>
      )}
      {fix === null ? null : <Command fix={fix} />}
    </div>
  );
};

/** How far everything is, in one line. */
const Progress = ({ status }: { readonly status: StatusDocument }) => {
  const here = (status.setup?.steps ?? []).filter((step) => step.status !== 'not_here');
  const done = here.filter((step) => step.status === 'done').length;
  const later = here.filter((step) => step.status === 'put_off').length;
  return (
    <div class="setup-progress">
      <p class="hint">
        {t(later > 0 ? 'setup.progress_later' : 'setup.progress', { count: done, total: here.length, later })}
      </p>
      <progress
        class="setup-track"
        value={done}
        max={Math.max(here.length, 1)}
        aria-label={t('setup.progress_label')}
      />
    </div>
  );
};

/** The steps that are there for the dashboard alone. */
const ofDashboard: ReadonlySet<string> = new Set(['renderer', 'home_dashboard', 'entity_filter']);

/** What is left, and the way to the first of it; null where nothing is. */
const Rest = ({ status }: { readonly status: StatusDocument }) => {
  const later = stepsLater(status);
  const open = stepsLeft(status);
  const rest = stepsToDo(status);
  // What waits for another step cannot be done first.
  const first = open.find((step) => step.status === 'needs_you') ?? later[0] ?? open[0];
  if (first === undefined) return null;
  const isLater = status.setup?.put_off === true || open.length === 0;
  const words = rest.every(({ stage }) => ofDashboard.has(stage)) ? 'setup.left_dashboard' : 'setup.left';
  return (
    <div class="setup-left">
      <p>
        {stepIn(status, 'broker')?.status === 'done' ? `${t('setup.has_panel')} ` : ''}
        {t(isLater ? 'setup.left_later' : words, { count: rest.length })}
      </p>
      <p>
        <a class="button" href={`#step-${first.stage}`} data-go={first.stage}>
          {t('setup.go_on', { step: t(`setup.title.${first.stage}`) })}
        </a>
      </p>
    </div>
  );
};

/** Says that all is done, and what Home Assistant shows of it. */
const AllDone = ({ status }: { readonly status: StatusDocument }) => {
  const announced = status.platform?.announced.length ?? 0;
  return (
    <>
      <p class="setup-done">
        <Icon name="check-circle" size={28} />
        <span>{t('setup.finished')}</span>
      </p>
      {announced === 0 ? null : (
        <p>{t(status.setup?.seen === true ? 'setup.seen' : 'setup.told', { count: announced })}</p>
      )}
    </>
  );
};

/** What stands at the end: what is left or that all is done, and why there are fewer steps than elsewhere. */
const Finish = ({ status }: { readonly status: StatusDocument }) => {
  const hasRest = stepsToDo(status).length > 0;
  const simulated = status.panel.profile.simulated;
  return (
    <div class="setup-end">
      {hasRest ? <Rest status={status} /> : status.setup?.complete === true ? <AllDone status={status} /> : null}
      {stepIn(status, 'renderer')?.status === 'not_here' ? (
        <p class="hint">{t(simulated ? 'setup.no_dashboard_simulated' : 'setup.no_dashboard')}</p>
      ) : null}
    </div>
  );
};

/** Every part of the page of the setup that follows the status. */
export const setupParts: Readonly<Record<string, (status: StatusDocument) => ReturnType<typeof Progress>>> = {
  'setup-progress': (status) => <Progress status={status} />,
  'setup-finish': (status) => <Finish status={status} />,
  ...Object.fromEntries(
    setupStages.flatMap((stage) => [
      [`setup-mark-${stage}`, (status: StatusDocument) => <Mark status={status} stage={stage} />],
      [`setup-${stage}`, (status: StatusDocument) => <Detail status={status} stage={stage} />],
    ]),
  ),
};
