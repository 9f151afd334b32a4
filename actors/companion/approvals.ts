import { commandText } from '#machines/entities/command-words.ts';
import type { CommandValue } from '#machines/entities/command.ts';
import type { Milliseconds } from '#machines/kit/units.ts';

import type { Admission, Admitted, Wanted } from '../kit/admission.ts';

/** What a command that may wait for a person is about. */
export interface WaitingCommand {
  readonly peer: string;
  readonly key: string;
  readonly value: CommandValue;
}

/** Most commands that are remembered; a person answers one at a time, and all peers together may have twelve. */
const REMEMBERED = 64;

const textOf = (peer: string, binds: string): string => `${peer}\0${binds}`;

/** Remembers the newest few. */
function createNotes<T>() {
  const notes = new Map<string, T>();
  return {
    get: (text: string): T | undefined => notes.get(text),
    set: (text: string, note: T): void => {
      notes.delete(text);
      notes.set(text, note);
      const oldest = notes.size > REMEMBERED ? notes.keys().next().value : undefined;
      if (oldest !== undefined) notes.delete(oldest);
    },
  };
}

export interface BoundedAdmissionPlan {
  readonly admission: Pick<Admission, 'admit' | 'whenAnswered'>;
  /** Milliseconds of the monotonic clock. */
  readonly elapsed: () => Milliseconds;
  /** Called when a command begins to wait for a person. */
  readonly waits: (text: string) => void;
  /** True while its caller waits for its end. */
  readonly isWanted: (text: string) => boolean;
}

/** Admits commands, none of which waits for a person longer than its caller waits for its end. */
export function createBoundedAdmission({ admission, elapsed, waits, isWanted }: BoundedAdmissionPlan) {
  const deadlines = createNotes<Milliseconds>();
  const requests = createNotes<string>();
  const note = (wanted: Wanted, admitted: Admitted): Admitted => {
    if (!admitted.ok && admitted.approvalId !== undefined)
      requests.set(admitted.approvalId, textOf(wanted.peer, wanted.binds));
    return admitted;
  };
  const bounded: Pick<Admission, 'admit' | 'whenAnswered'> = {
    admit: (wanted) => {
      const admitted = admission.admit(wanted);
      return admitted instanceof Promise ? admitted.then((known) => note(wanted, known)) : note(wanted, admitted);
    },
    whenAnswered: (request, boundMs, signal) => {
      const text = requests.get(request.id);
      const deadline = text === undefined ? undefined : deadlines.get(text);
      if (text === undefined || deadline === undefined) return admission.whenAnswered(request, boundMs, signal);
      waits(text);
      const bound = Math.max(0, Math.min(boundMs, deadline - elapsed()));
      return admission
        .whenAnswered(request, bound, signal)
        .then((answer) => (answer === 'approved' && !isWanted(text) ? 'pending' : answer));
    },
  };
  return {
    admission: bounded,
    /** The name under which a command waits; `until` is its deadline, on the same clock. */
    expect: ({ peer, key, value }: WaitingCommand, until: Milliseconds): string => {
      const text = textOf(peer, commandText(key, value));
      deadlines.set(text, until);
      return text;
    },
  };
}
