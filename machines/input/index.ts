import { capabilitiesOf, ownVerdict } from '../kit/capability.ts';
import { subsystem } from '../subsystem.ts';
import { rows } from './entities.ts';
import type { InputActor } from './events.ts';
import { judgeKeyboard } from './keyboard.ts';
import { status } from './status.ts';
import { judgeButtons } from './verdict.ts';

export const input = subsystem<InputActor>()({
  ids: ['input'],
  group: 'panel',
  probe: { type: 'input.probe' },
  entities: rows,
  capabilities: capabilitiesOf<InputActor>([
    { id: 'touch', title: 'Touch and keys', actor: 'input', after: 'screen_4', judge: ownVerdict },
    {
      id: 'buttons',
      title: 'Hardware buttons',
      actor: 'input',
      after: 'touch',
      judge: ({ context }) => judgeButtons(context),
    },
    {
      id: 'keyboard',
      title: 'Keyboard',
      actor: 'input',
      after: 'buttons',
      judge: ({ context }) => judgeKeyboard(context),
    },
  ]),
  status,
});
