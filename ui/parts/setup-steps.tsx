import type { StatusDocument } from '#machines/status.ts';
import type { IconName } from '../icons.ts';
import { t } from '../strings/t.ts';
import { Command } from './command.tsx';
import { Icon } from './icon.tsx';
import { addressFails, brokerFails } from './link-state.ts';
import { Sentence } from './sentence.tsx';
import type { StateWord } from './state-mark.tsx';
import type { AnyPart, DrawnPart, Sections } from './sections.ts';

type Setup = NonNullable<StatusDocument['setup']>;
type Step = Setup['steps'][number];

/** The steps of the setup, in order. */
export const setupStages = [
  'identity',
  'home_assistant',
  'broker',
  'renderer',
  'home_dashboard',
  'entity_filter',
] as const satisfies readonly Step['stage'][];

export type SetupStage = (typeof setupStages)[number];

/** Label beside the title of a step: its state, or whose turn it is. */
type StepWord = Step['status'] | 'found' | 'now' | 'to_do';

const looks: Readonly<Record<StepWord, readonly [IconName, StateWord]>> = {
  done: ['mdi:check-circle', 'working'],
  found: ['mdi:check-circle', 'working'],
  needs_you: ['mdi:alert', 'needs_you'],
  now: ['mdi:arrow-right-circle', 'needs_you'],
  to_do: ['mdi:circle-outline', 'off'],
  checking: ['mdi:progress-clock', 'checking'],
  blocked: ['mdi:timer-sand', 'off'],
  put_off: ['mdi:clock-outline', 'off'],
  not_here: ['mdi:circle-off-outline', 'not_here'],
};

/** A step from the status; undefined while the agent starts. */
export const stepIn = (status: Sections<'setup'>, stage: SetupStage): Step | undefined =>
  status.setup?.steps.find((step) => step.stage === stage);

type StepSections = Sections<'setup' | 'mqtt' | 'sign_in'>;

/** True if an attempt of a step failed, which needs a person even while another step is open. */
const hasFailed = (status: StepSections, stage: SetupStage): boolean =>
  stage === 'broker'
    ? status.mqtt?.phase === 'auth_failed' || brokerFails(status)
    : stage === 'home_assistant'
      ? status.sign_in?.phase === 'refused' || addressFails(status)
      : // Nothing is chosen there: what is missing for the dashboard is a fault.
        stage === 'renderer' && stepIn(status, stage)?.status === 'needs_you';

/** The remaining steps, which wait for a person or for another step. */
const stepsLeft = ({ setup }: Sections<'setup'>): readonly Step[] =>
  (setup?.steps ?? []).filter(({ status }) => status === 'needs_you' || status === 'blocked');

/** The steps put off one by one. */
const stepsLater = ({ setup }: Sections<'setup'>): readonly Step[] =>
  (setup?.steps ?? []).filter(({ status }) => status === 'put_off');

/** All unfinished steps, those put off last. */
export const stepsToDo = (status: Sections<'setup'>): readonly Step[] => [...stepsLeft(status), ...stepsLater(status)];

/** True if the rest can be put off as a whole. */
export const mayWait = (status: Sections<'setup'>): boolean =>
  status.setup?.put_off === false && stepsLeft(status).length > 0;

/** True if a step still needs a person and was not put off. */
export const isPending = ({ setup }: Sections<'setup'>): boolean =>
  setup !== null &&
  !setup.put_off &&
  setup.steps.some(({ status }) => status === 'needs_you' || (status === 'checking' && !setup.complete));

/** Only one step at a time needs a person; those after it are "to do", or "later" if the whole setup was put off. */
function wordFor(status: StepSections, stage: SetupStage): StepWord {
  const state = stepIn(status, stage)?.status ?? 'checking';
  // A step whose screen is present needs no action.
  if (stage === 'renderer' && state === 'done') return 'found';
  if (state !== 'needs_you' && state !== 'blocked') return state;
  if (state === 'needs_you' && hasFailed(status, stage)) return 'needs_you';
  if (status.setup?.put_off === true) return 'put_off';
  if (state === 'blocked') return 'blocked';
  return status.setup?.next === stage ? 'now' : 'to_do';
}

function Mark({ status, stage }: { readonly status: StepSections; readonly stage: SetupStage }) {
  const word = wordFor(status, stage);
  const [icon, look] = looks[word];
  return (
    <span class={`mark mark-${look}`}>
      <Icon name={icon} size={20} />
      <span class="mark-word">{t(`setup.state.${word}`)}</span>
    </span>
  );
}

/** The link from a waiting step to the one it waits for: a screen that is missing, else the sign-in. */
function OtherFirst({ status }: { readonly status: Sections<'setup'> }) {
  const stage = stepIn(status, 'renderer')?.status === 'needs_you' ? 'renderer' : 'home_assistant';
  return (
    <p>
      <a class="button primary" href={`#step-${stage}`} data-go={stage}>
        {t(stage === 'renderer' ? 'setup.screen_first' : 'setup.sign_in_first')}
      </a>
    </p>
  );
}

function Detail({
  status,
  stage,
}: {
  readonly status: StepSections & Sections<'capabilities'>;
  readonly stage: SetupStage;
}) {
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
          <Icon name="mdi:alert" />
          <span>{detail}</span>
        </p>
      ) : (
        <p>{detail}</p>
      )}
      {fix === null ? null : <Command fix={fix} />}
      {step?.status === 'blocked' ? <OtherFirst status={status} /> : null}
    </div>
  );
}

/** The progress in one line. */
function Progress({ status }: { readonly status: StepSections }) {
  const here = (status.setup?.steps ?? []).filter((step) => step.status !== 'not_here');
  const done = here.filter((step) => step.status === 'done').length;
  // If put off as a whole, all remaining steps count.
  const later = here.filter(({ stage }) => wordFor(status, stage) === 'put_off').length;
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
}

/** The steps that only serve the dashboard. */
const ofDashboard: ReadonlySet<string> = new Set(['renderer', 'home_dashboard', 'entity_filter']);

/** True if all remaining steps were put off. */
const isLater = (status: Sections<'setup'>): boolean =>
  status.setup?.put_off === true || stepsLeft(status).length === 0;

/** What is left, and where to find it. */
function Rest({ status }: { readonly status: Sections<'setup'> }) {
  const rest = stepsToDo(status);
  const words = rest.every(({ stage }) => ofDashboard.has(stage)) ? 'setup.left_dashboard' : 'setup.left';
  return (
    <p>
      {stepIn(status, 'broker')?.status === 'done' ? `${t('setup.has_panel')} ` : ''}
      {t(isLater(status) ? 'setup.left_later' : words, { count: rest.length })}
    </p>
  );
}

/** Says what Home Assistant shows of the panel, and what is on its screen. */
function AllDone({
  status: { platform, setup, renderer },
}: {
  readonly status: Sections<'platform' | 'setup' | 'renderer'>;
}) {
  const announced = platform?.announced.length ?? 0;
  const isShown = renderer?.rendered === true && renderer.place === 'dashboard';
  return (
    <>
      {isShown ? <p>{t('setup.on_screen')}</p> : null}
      {announced === 0 ? null : <p>{t(setup?.seen === true ? 'setup.seen' : 'setup.told', { count: announced })}</p>}
    </>
  );
}

/** The end of the setup: what is left or that all is done, and why this panel has fewer steps. */
function Finish({ status }: { readonly status: Sections<'setup' | 'platform' | 'renderer' | 'panel'> }) {
  const hasRest = stepsToDo(status).length > 0;
  const isDone = !hasRest && status.setup?.complete === true;
  const simulated = status.panel.profile.simulated;
  const title = isDone ? 'setup.finished' : hasRest && isLater(status) ? 'setup.rest_later' : 'setup.rest';
  return (
    <div class="setup-end">
      <h2 class={isDone ? 'setup-done' : undefined} id="title-finish">
        {isDone ? <Icon name="mdi:check-circle" size={28} /> : null}
        <span>{t(title)}</span>
      </h2>
      {hasRest ? <Rest status={status} /> : isDone ? <AllDone status={status} /> : null}
      {stepIn(status, 'renderer')?.status === 'not_here' ? (
        <p class="hint">{t(simulated ? 'setup.no_dashboard_simulated' : 'setup.no_dashboard')}</p>
      ) : null}
    </div>
  );
}

/** The link at the end: to the first remaining step, else to the settings. */
function GoOn({ status }: { readonly status: Sections<'setup'> }) {
  const open = stepsLeft(status);
  // A step that waits for another cannot be done first.
  const first = open.find((step) => step.status === 'needs_you') ?? stepsLater(status)[0] ?? open[0];
  return first === undefined ? (
    <a class="button" href="/configure">
      {t('setup.configure')}
    </a>
  ) : (
    <a class="button" href={`#step-${first.stage}`} data-go={first.stage}>
      {t('setup.go_on', { step: t(`setup.title.${first.stage}`) })}
    </a>
  );
}

/** The link to the reset, once the panel is set up. */
const Again = ({ status }: { readonly status: Sections<'setup'> }) =>
  status.setup?.complete === true ? (
    <p class="hint">
      <a href="/setup/reset">{t('setup.again')}</a>
    </p>
  ) : (
    <></>
  );

const ofSetup = ['setup'] as const;
const ofStep = ['setup', 'mqtt', 'sign_in'] as const;
const ofDetail = [...ofStep, 'capabilities'] as const;
const ofFinish = ['setup', 'platform', 'renderer', 'panel'] as const;

const markOf = (stage: SetupStage): DrawnPart<typeof ofStep> => ({
  reads: ofStep,
  draw: ({ status }) => <Mark status={status} stage={stage} />,
});
const detailOf = (stage: SetupStage): DrawnPart<typeof ofDetail> => ({
  reads: ofDetail,
  draw: ({ status }) => <Detail status={status} stage={stage} />,
});

/** Every part of the setup page that follows the status. */
export const setupParts: Readonly<Record<string, AnyPart>> = {
  'setup-progress': {
    reads: ofStep,
    draw: ({ status }) => <Progress status={status} />,
  } satisfies DrawnPart<typeof ofStep>,
  'setup-finish': {
    reads: ofFinish,
    draw: ({ status }) => <Finish status={status} />,
  } satisfies DrawnPart<typeof ofFinish>,
  'setup-go': { reads: ofSetup, draw: ({ status }) => <GoOn status={status} /> } satisfies DrawnPart<typeof ofSetup>,
  'setup-again': { reads: ofSetup, draw: ({ status }) => <Again status={status} /> } satisfies DrawnPart<
    typeof ofSetup
  >,
  ...Object.fromEntries(
    setupStages.flatMap((stage): (readonly [string, AnyPart])[] => [
      [`setup-mark-${stage}`, markOf(stage)],
      [`setup-${stage}`, detailOf(stage)],
    ]),
  ),
};
