import type { Answers, SetupFacts, Stage, Step, StepState } from './events.ts';

/** Sentences of other pages name the page with the fields; in the setup the fields are right below. */
const here = (detail: string): string => detail.replaceAll(' under Configure', '');

/** Status of a step by the facts alone, without the person's answer. */
type Judged = readonly [status: StepState, detail: string];

const shown = ({ renderer: found }: SetupFacts): boolean => found !== null && found.state !== 'absent';

const checking: Judged = ['checking', 'The panel is still finding out.'];
const blocked: Judged = ['blocked', 'Available after you sign in to Home Assistant.'];
const screenFirst: Judged = ['blocked', 'Available once the dashboard has a screen.'];
const noDashboard: Judged = ['not_here', 'This panel shows no dashboard.'];

function identity({ named, isIdTaken }: SetupFacts): Judged {
  if (isIdTaken) return ['needs_you', 'Another panel already uses the id of this one. Take a free id.'];
  return named
    ? ['done', 'The panel has the name that you gave it.']
    : ['needs_you', 'Name the panel after where it hangs. Home Assistant lists it under this name.'];
}

function homeAssistant({ hasAddress, signIn }: SetupFacts): Judged {
  if (!hasAddress) return ['needs_you', 'Enter the address at which you open Home Assistant in your browser.'];
  if (signIn === null) return checking;
  if (signIn.phase === 'signed-in') return ['done', signIn.detail];
  return ['needs_you', here(signIn.detail)];
}

function broker({ broker: link, session }: SetupFacts): Judged {
  if (session !== null) return [session.state === 'connected' ? 'done' : 'needs_you', here(session.detail)];
  if (link === null) return checking;
  switch (link.phase) {
    case 'connected':
      return ['done', 'The panel is connected to your broker.'];
    case 'connecting':
      return ['checking', link.detail];
    case 'off':
      return checking;
    case 'not_configured':
    case 'discovering':
      return [
        'needs_you',
        'Enter the address of your MQTT broker, and its user where it asks for one. Without a broker, pair the Sconce integration of Home Assistant.',
      ];
    case 'ambiguous':
    case 'unconfirmed':
    case 'auth_failed':
    case 'unreachable':
    case 'config_error':
      return ['needs_you', here(link.detail)];
  }
}

function renderer({ renderer: found, signIn }: SetupFacts): Judged {
  if (found === null) return checking;
  switch (found.state) {
    case 'absent':
      return ['not_here', found.detail];
    case 'needs_you':
      return ['needs_you', here(found.detail)];
    case 'working':
      return ['done', found.detail];
    case 'waiting':
      return signIn?.phase === 'signed-in' ? ['checking', found.detail] : blocked;
    case 'checking':
      return ['checking', found.detail];
  }
}

/** A choice about dashboards requires a screen and a sign-in. */
function chosen(facts: SetupFacts, isSet: boolean, done: string, open: string): Judged {
  if (facts.renderer === null) return checking;
  if (!shown(facts)) return noDashboard;
  if (isSet) return ['done', done];
  if (facts.signIn?.phase === 'signed-in') return ['needs_you', open];
  // A sign-in alone would not help.
  return facts.renderer.state === 'needs_you' ? screenFirst : blocked;
}

/** When the panel goes back to its home dashboard, as a sentence. */
const returning = ({ returnMin }: SetupFacts): string =>
  returnMin === 0 ? '' : ` It returns there after ${returnMin} min without a touch.`;

const homeDashboard = (facts: SetupFacts): Judged =>
  chosen(
    facts,
    facts.hasHomeDashboard,
    `The panel shows the dashboard that you chose.${returning(facts)}`,
    'Choose the dashboard that the panel shows.',
  );

const entityFilter = (facts: SetupFacts): Judged =>
  chosen(
    facts,
    facts.filters,
    'Home Assistant sends the panel only what its dashboard shows.',
    'Choose whether Home Assistant sends the panel only what its dashboard shows.',
  );

const judges: Readonly<Record<Stage, (facts: SetupFacts) => Judged>> = {
  identity,
  home_assistant: homeAssistant,
  broker,
  renderer,
  home_dashboard: homeDashboard,
  entity_filter: entityFilter,
};

/** Optional choices: a person can complete them by accepting the current value. */
const choices: ReadonlySet<Stage> = new Set(['identity', 'home_dashboard', 'entity_filter']);

const answered: Readonly<Partial<Record<Stage, (facts: SetupFacts) => string>>> = {
  identity: () => 'The panel keeps the name that it has.',
  home_dashboard: (facts) => `The panel shows the default dashboard of Home Assistant.${returning(facts)}`,
  entity_filter: () => 'Home Assistant sends the panel everything.',
};

function stepOf(stage: Stage, facts: SetupFacts, answers: Answers): Step {
  // Without a dashboard a sign-in is not needed; the entities use the broker.
  const blocking = stage === 'broker' || stage === 'renderer' || (stage === 'home_assistant' && shown(facts));
  const [status, detail] = judges[stage](facts);
  // No answer accepts an id that another panel uses.
  if (stage === 'identity' && facts.isIdTaken) return { stage, status, blocking, detail };
  const isOpen = status === 'needs_you' || (status === 'checking' && stage === 'broker');
  if (isOpen && choices.has(stage) && answers[stage] === 'done')
    return { stage, status: 'done', blocking, detail: answered[stage]?.(facts) ?? detail };
  if (isOpen && answers[stage] === 'later') return { stage, status: 'put_off', blocking, detail };
  return { stage, status, blocking, detail };
}

/** The status of every step: by facts, and where they leave a choice, by the person's answers. */
export const stepsOf = (facts: SetupFacts, answers: Answers): readonly Step[] => [
  stepOf('identity', facts, answers),
  stepOf('home_assistant', facts, answers),
  stepOf('broker', facts, answers),
  stepOf('renderer', facts, answers),
  stepOf('home_dashboard', facts, answers),
  stepOf('entity_filter', facts, answers),
];

/** True if no blocking step is open. */
export const isReached = (steps: readonly Step[]): boolean =>
  steps.length > 0 &&
  steps.every(
    ({ blocking, status }) => !blocking || status === 'done' || status === 'put_off' || status === 'not_here',
  );

/** True for a panel that has a broker, a paired Home Assistant or a sign-in, and so was set up already. */
export const wasSetUp = ({ hasBroker, hasCredential, session }: SetupFacts): boolean =>
  hasBroker || hasCredential || (session !== null && session.state !== 'unpaired');
