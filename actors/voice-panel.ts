import { fromDriver } from '#drivers/kit/from-driver.ts';
import type { Buttons } from '#machines/input/events.ts';
import { ownField } from '#machines/kit/own-field.ts';
import { clamp, type EpochMs, type Milliseconds } from '#machines/kit/units.ts';
import type { ScreenActor, ScreenContext, ScreenId } from '#machines/screen/events.ts';
import type { VoicePanelCommand, VoicePanelDriver, VoicePanelFact } from '#machines/voice/events.ts';

import { followTouches } from './auto-sleep-panel.ts';
import { realTimers, type Registry, type Timers } from './kit/registry.ts';

export interface VoicePanelDeps {
  readonly registry: Pick<Registry, 'follow' | 'read' | 'tell'>;
  /** Registry ids of the screens that a turn lights. */
  readonly displays: readonly ScreenId[];
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Milliseconds since the Unix epoch, the clock of the buttons. */
  readonly now: () => EpochMs;
  readonly timers?: Timers;
}

/** Origin that a screen reports when a turn lit it, or darkened it again. */
const VOICE_ORIGIN = 'voice';
/** How long a screen that a turn lit stays lit after it. */
const REST_MS: Milliseconds = 15_000;

/** Causes that leave a screen to the turn that lit it: the level that suits the light of the room is no wake. */
const ownCauses: ReadonlySet<string> = new Set([VOICE_ORIGIN, 'auto-brightness']);

const isDark = ({ lit, wanted }: Pick<ScreenContext, 'lit' | 'wanted'>): boolean => (wanted ?? lit) === false;

/** Lights dark screens for turns, and darkens them after the last one, unless something else took them over. */
interface TurnLight {
  readonly light: () => void;
  readonly rest: () => void;
}

/**
 * One for all runs of the part, and it watches only from a light to its end: a screen that a turn lit goes dark even if
 * the part has ended meanwhile.
 */
function turnLight({ registry, displays, timers = realTimers }: VoicePanelDeps): TurnLight {
  const own = new Set<ScreenId>();
  let ends: readonly (() => void)[] = [];
  let timer: unknown;
  const set = (id: ScreenId, on: boolean): void => {
    const event: ScreenActor['event'] = { type: 'screen.set', on, origin: VOICE_ORIGIN };
    registry.tell(id, event);
  };
  const forget = (): void => {
    own.clear();
    timers.clearTimeout(timer);
    for (const end of ends) end();
    ends = [];
  };
  /** Something other than the turn switched that screen, or set its level. */
  function followOthers(id: ScreenId): () => void {
    let before = registry.read(id)?.context.changed?.at;
    return registry.follow(
      id,
      (snapshot) => snapshot?.context.changed ?? null,
      (changed) => {
        if (changed === null || changed.at === before) return;
        before = changed.at;
        if (!ownCauses.has(changed.by)) own.delete(id);
      },
    );
  }
  const watch = (): void => {
    if (ends.length > 0) return;
    ends = [...followTouches(registry, forget), ...displays.map(followOthers)];
  };
  const darken = (): void => {
    const due = [...own].filter((id) => {
      const screen = registry.read(id)?.context;
      return screen?.lit === true && screen.wanted === null;
    });
    forget();
    for (const id of due) set(id, false);
  };
  return {
    light: () => {
      timers.clearTimeout(timer);
      const dark = displays.filter((id) => {
        const screen = registry.read(id)?.context;
        return screen !== undefined && isDark(screen);
      });
      if (dark.length > 0) watch();
      for (const id of dark) {
        own.add(id);
        set(id, true);
      }
    },
    rest: () => {
      timers.clearTimeout(timer);
      if (own.size === 0) forget();
      else timer = timers.setTimeout(darken, REST_MS);
    },
  };
}

/** Longest age of a press that counts: beyond it the clock was set. */
const OLDEST_MS: Milliseconds = 10_000;

type SendFact = (fact: VoicePanelFact) => void;

/** Reports each press and release of the button that the setting names; a press without an end is released. */
function followButton({ registry, elapsed, now }: VoicePanelDeps, send: SendFact): () => void {
  let name = '';
  /** The last occurrence that was seen; null while the part is absent. */
  let seen: number | null = null;
  let isDown = false;
  const moved = (down: boolean, at: Milliseconds): void => {
    if (down === isDown) return;
    isDown = down;
    send({ type: down ? 'button.pressed' : 'button.released', at });
  };
  function happened({ occurrences, sequence, states }: Buttons, since: number): void {
    for (const { button, event, at, sequence: own } of occurrences) {
      if (own <= since || button !== name || (event !== 'press' && event !== 'release')) continue;
      // The kernel's time, so that a tap is one even if the process was held up.
      moved(event === 'press', elapsed() - clamp(now() - at, 0, OLDEST_MS));
    }
    seen = sequence;
    // Too many events in a second are left out, and a release may be among them.
    if (isDown && (ownField(states, name)?.downAt ?? null) === null) moved(false, elapsed());
  }
  const endSetting = registry.follow(
    'settings',
    (snapshot) => snapshot?.context.values['voice_button'],
    (value) => {
      moved(false, elapsed());
      name = typeof value === 'string' ? value.trim() : '';
    },
  );
  const endInput = registry.follow(
    'input',
    (snapshot) => snapshot?.context.buttons ?? null,
    (buttons) => {
      if (buttons === null) {
        moved(false, elapsed());
        seen = null;
      } else if (seen === null) seen = buttons.sequence;
      else happened(buttons, seen);
    },
  );
  return () => {
    endSetting();
    endInput();
  };
}

/** Lights the screens for a turn of voice, and reports the button of the profile that begins one. */
export function voicePanel(deps: VoicePanelDeps): VoicePanelDriver {
  const { light, rest } = turnLight(deps);
  return fromDriver<VoicePanelCommand, undefined, VoicePanelFact>(({ send, onEvent }) => {
    const endButton = followButton(deps, send);
    onEvent(({ type }) => (type === 'panel.light' ? light() : rest()));
    return () => {
      endButton();
      // A part that ends in a turn leaves no screen lit.
      rest();
    };
  });
}
