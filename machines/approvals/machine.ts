import { faultIn } from '../kit/fault.ts';
import { crashed, outcomeOf } from '../kit/outcome.ts';
import { withEvent } from '../kit/with-event.ts';
import type { Effect } from './events.ts';
import type { ApprovalsFacts } from './facts.ts';
import { approvalsSetup } from './implementations.ts';
import { initialFacts } from './initial.ts';
import { effectOf, operationIn } from './requests.ts';

/** What an approval of the question on the screen carries out. */
const shownEffect = ({
  requests,
  shown,
}: ApprovalsFacts): { readonly effect: Effect | null; readonly operation: string } => ({
  effect: effectOf(requests, shown?.id ?? ''),
  operation: operationIn(requests, shown?.id ?? '') ?? '',
});

/** Actions after each step: what it left for others, and what others show of it. */
const after = ['flush', 'serve'] as const;

/** The answers that approve nothing. */
const refusals = [
  { guard: withEvent('isDeny'), target: 'telling', actions: ['denyShown', ...after] },
  { guard: withEvent('isIgnore'), target: 'telling', actions: ['ignoreShown', ...after] },
] as const;

/**
 * Asks a person in front of the panel. One region keeps the mode, the other the question on the screen; requests are
 * taken in any state.
 */
export const approvalsMachine = approvalsSetup.createMachine({
  id: 'approvals',
  options: { maxIterations: 100 },
  context: ({ input }) => ({ ...initialFacts, ...input }),
  invoke: [
    { id: 'surroundings', src: 'surroundings', onError: '.failed' },
    { id: 'question', src: 'question', onError: '.failed' },
    { id: 'exposure', src: 'exposure', onError: '.failed' },
    { id: 'control', src: 'control', onError: '.failed' },
    { id: 'modeFile', src: 'modeFile', onError: '.failed' },
  ],
  initial: 'running',
  on: {
    'approval.request': { actions: [withEvent('takeRequest'), ...after] },
    'approval.ask': { actions: [withEvent('takeQuestion'), ...after] },
    'approval.look': { actions: [withEvent('look'), ...after] },
    'approval.expired': { actions: [withEvent('expire'), ...after] },
    'approval.withdraw': { actions: [withEvent('withdraw'), ...after] },
    'place.changed': { actions: [withEvent('takePlace'), 'serve'] },
    'screens.changed': { actions: withEvent('takeScreens') },
    'exposure.seen': { actions: withEvent('takeExposure') },
    'question.touched': { actions: withEvent('noteMoment') },
    'question.seen': { actions: withEvent('takeSeen') },
    'questions.wanted': { actions: withEvent('want') },
    'mode.wanted': { actions: withEvent('wish') },
    'control.denied': { actions: [withEvent('denyListed'), ...after] },
    'control.relaxed': { actions: 'writeRelaxed' },
  },
  states: {
    running: {
      type: 'parallel',
      states: {
        mode: {
          initial: 'learning',
          on: {
            'mode.read': [
              { guard: withEvent('isHardened'), target: '.hardened', actions: [withEvent('takeMode'), ...after] },
              { target: '.relaxed', actions: [withEvent('takeMode'), ...after] },
            ],
          },
          states: {
            learning: {},
            relaxed: {},
            hardened: { entry: 'lookAround', after: { look: { target: 'hardened', reenter: true } } },
          },
        },
        screen: {
          initial: 'free',
          states: {
            /** The dashboard is in front. */
            free: { always: { guard: 'hasNext', target: 'asking', actions: ['present', 'drawAttention'] } },
            asking: {
              entry: 'lookAround',
              initial: 'waiting',
              on: {
                'question.lost': { target: 'pausing', actions: 'leaveScreen' },
                'question.pressed': { actions: withEvent('takePress') },
                'question.released': { actions: withEvent('letGo') },
              },
              states: {
                waiting: {
                  entry: 'show',
                  always: { guard: 'isOver', target: '#approvals.running.screen.leaving' },
                  on: {
                    // From the page of a simulated panel to the tab of a browser that came up.
                    'place.changed': { target: 'waiting', reenter: true, actions: [withEvent('takePlace'), 'serve'] },
                    'question.touched': { target: 'waiting', reenter: true, actions: withEvent('noteMoment') },
                    'exposure.seen': { actions: [withEvent('takeExposure'), 'show'] },
                    'approval.request': { actions: [withEvent('takeRequest'), 'showOthers', ...after] },
                    'question.answered': [
                      { guard: withEvent('isHold'), target: 'checking' },
                      { guard: withEvent('isHasty'), target: 'telling', actions: 'sayHasty' },
                      ...refusals,
                    ],
                    'approval.answer': [{ guard: withEvent('isHold'), target: 'checking' }, ...refusals],
                  },
                  after: {
                    untouched: { target: '#approvals.running.screen.leaving', actions: ['passOver', 'giveBack'] },
                  },
                },
                /** What bars approving is looked at once more. */
                checking: {
                  entry: 'lookAround',
                  always: { guard: 'isUnbarrable', target: 'approved' },
                  on: {
                    'exposure.seen': [
                      { guard: withEvent('isSafe'), target: 'approved', actions: withEvent('takeExposure') },
                      { target: 'waiting', actions: [withEvent('takeExposure'), 'noteBarred'] },
                    ],
                  },
                  after: { answer: { target: 'waiting', actions: ['assumeExposed', 'noteBarred'] } },
                },
                approved: {
                  always: [
                    // Denied elsewhere, expired or forgotten during the look.
                    { guard: 'isOver', target: '#approvals.running.screen.leaving' },
                    { guard: 'isMode', target: 'switching' },
                    { guard: 'hasEffect', target: 'carrying' },
                    { target: 'telling', actions: ['approveShown', ...after] },
                  ],
                },
                carrying: {
                  invoke: {
                    id: 'carryOut',
                    src: 'carryOut',
                    input: ({ context }) => shownEffect(context),
                    onDone: [
                      { guard: withEvent('isDone'), target: 'telling', actions: ['approveShown', ...after] },
                      { target: 'telling', actions: [withEvent('noteRefused'), ...after] },
                    ],
                    onError: {
                      target: 'telling',
                      actions: [{ type: 'reportFault', params: faultIn('carry-out') }, 'noteFailed', ...after],
                    },
                  },
                },
                switching: {
                  entry: 'writeMode',
                  on: {
                    'mode.read': [
                      { guard: withEvent('isWished'), target: 'telling', actions: 'endWish' },
                      { target: 'telling', actions: 'failWish' },
                    ],
                    'mode.refused': { target: 'telling', actions: 'failWish' },
                  },
                  after: { answer: { target: 'telling', actions: 'failWish' } },
                },
                telling: {
                  entry: 'showResult',
                  after: { result: '#approvals.running.screen.leaving' },
                },
              },
            },
            leaving: {
              always: [
                { guard: 'hasNext', target: 'asking', actions: ['present', 'drawAttention'] },
                { target: 'free', actions: ['hide', 'leaveScreen'] },
              ],
            },
            /** The tab was lost; a new browser shows the question again. */
            pausing: {
              on: { 'place.changed': { target: 'free', actions: [withEvent('takePlace'), 'serve'] } },
              after: { pause: 'free' },
            },
          },
        },
      },
    },
    failed: {
      type: 'final',
      output: crashed({
        surroundings: 'surroundings-follower',
        question: 'question-tab',
        exposure: 'exposure-look',
        control: 'control-socket',
        modeFile: 'mode-file',
      }),
    },
  },
  output: outcomeOf,
});
