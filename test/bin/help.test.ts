import { describe, expect, it } from 'vitest';

import { approvalsOptions } from '#bin/approvals-arguments.ts';
import { backupOptions, restoreOptions } from '#bin/backup-arguments.ts';
import { companionOptions } from '#bin/companion-arguments.ts';
import { doctorOptions, parseCommand, runOptions } from '#bin/arguments.ts';
import { calledAs, helpTexts, topics } from '#bin/help-texts.ts';
import { installOptions, uninstallOptions } from '#bin/install/arguments.ts';
import { microphoneOptions } from '#bin/microphone-arguments.ts';
import { defaultPort, plainText, shortUsage } from '#bin/usage.ts';

const options = {
  run: runOptions,
  install: installOptions,
  doctor: doctorOptions,
  approvals: approvalsOptions,
  microphone: microphoneOptions,
  companion: companionOptions,
  backup: backupOptions,
  restore: restoreOptions,
  uninstall: uninstallOptions,
};

describe('the help', () => {
  it.each(['general', ...topics] as const)('is the reviewed text: %s', async (topic) => {
    await expect(helpTexts[topic]).toMatchFileSnapshot(`help/${topic}.txt`);
    expect(helpTexts[topic].split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('fits a small terminal, with three examples that can be typed', () => {
    expect(helpTexts.general.trimEnd().split('\n')).toHaveLength(20);
    const examples = [...helpTexts.general.matchAll(/^ {2}(?:sudo )?sconce (\S.*?)(?: {2,}.*)?$/gm)].map(
      ([, line]) => line,
    );
    expect(examples).toHaveLength(3);
    for (const line of examples) expect(parseCommand((line ?? '').split(' '))).toMatchObject({ ok: true });
  });

  it.each(topics)('on %s has exactly the options that there are', (topic) => {
    const lines = helpTexts[topic].split('\n').filter((line) => /^ {2}-/.test(line));
    const listed = lines.map((line) => /--([a-z-]+)/.exec(line)?.[1]);
    expect(new Set(listed)).toEqual(new Set(Object.keys(options[topic])));
    expect(listed).toHaveLength(new Set(listed).size);
    for (const [name, option] of Object.entries(options[topic])) {
      const line = lines.find((one) => one.includes(`--${name} `)) ?? '';
      expect(/--[a-z-]+ [A-Zk]/.test(line), `${name} shows that it takes a value`).toBe(option.type === 'string');
      expect(/^ {2}-(\w),/.exec(line)?.[1]).toBe('short' in option ? option.short : undefined);
    }
    expect(helpTexts[topic].match(/--[a-z-]+/g)?.filter((name) => !(name.slice(2) in options[topic]))).toEqual([]);
  });

  it('calls the command as the shell knows it', () => {
    const words = /(?:^| )(?:bin\/)?sconce(?= [a-zC])/gm;
    const called = calledAs('bin/sconce', Object.values(helpTexts).join('') + shortUsage('run') + shortUsage('x'));
    expect(new Set(called.match(words)?.map((word) => word.trim()))).toEqual(new Set(['bin/sconce']));
    expect(called).toContain('remove Sconce from this machine');
  });

  it('names the port that is used', () => {
    expect(helpTexts.run).toContain(`default: ${defaultPort}`);
    expect(helpTexts.doctor).toContain(`default: ${defaultPort}`);
  });
});

describe('a command line that is answered with a text', () => {
  it.each([
    [[], 'general'],
    [['help'], 'general'],
    [['--help'], 'general'],
    [['-h'], 'general'],
    [['help', 'help'], 'general'],
    [['help', 'version'], 'general'],
    [['help', '--help'], 'general'],
    [['help', 'run'], 'run'],
    [['help', 'install'], 'install'],
    [['--help', 'doctor'], 'doctor'],
    [['run', '--help'], 'run'],
    [['run', '-h', '--nonsense'], 'run'],
    [['install', '--dry-run', '--help'], 'install'],
    [['doctor', '-h'], 'doctor'],
    [['uninstall', '--help'], 'uninstall'],
    [['approvals', 'deny', '-h'], 'approvals'],
  ])('%j', (argv, topic) => {
    expect(plainText(argv)).toEqual({ verb: 'help', topic });
    expect(parseCommand(argv)).toEqual({ ok: true, value: { verb: 'help', topic } });
  });

  it.each([[['version']], [['--version']], [['version', '--help']]])('%j', (argv) =>
    expect(plainText(argv)).toEqual({ verb: 'version' }),
  );

  it.each([[['run']], [['help', 'nonsense']], [['help', 'run', 'install']], [['constructor', '--help']]])(
    '%j is none',
    (argv) => expect(plainText(argv)).toBeNull(),
  );

  it('finds help among joined short options', () => {
    expect(parseCommand(['install', '-yh'])).toEqual({ ok: true, value: { verb: 'help', topic: 'install' } });
  });

  it('is pointed to before a reason', () => {
    expect(shortUsage('run')).toContain('sconce help run');
    expect(shortUsage('rnu')).toMatch(/sconce help\n$/);
  });
});

describe('a word that is not known', () => {
  it.each<[string, string]>([
    ['dcotor', 'There is no command "dcotor". Did you mean doctor?'],
    ['vresion', 'There is no command "vresion". Did you mean version?'],
    ['nonsense', 'There is no command "nonsense".'],
    ['\u001b[2Jrun', 'There is no command "[2Jrun".'],
    ['help isntall', 'There is no help on "isntall". Did you mean install?'],
    ['--help isntall', 'There is no help on "isntall". Did you mean install?'],
    ['--name Hall', 'The command comes first, such as run, then its options.'],
    ['help nonsense', 'There is no help on "nonsense".'],
    ['help run nonsense', 'There is no help on "nonsense".'],
    ['help run install', 'help takes one command, such as help run.'],
    ['run --nmae Hall', 'run has no option --nmae. Did you mean --name?'],
    ['run --panel_id hall', 'run has no option --panel_id. Did you mean --panel-id?'],
    ['run --broker=mqtt://h', 'run has no option --broker. Did you mean --mqtt-broker?'],
    ['run --dashboard /x', 'run has no option --dashboard. Did you mean --home-dashboard?'],
    ['run --nope', 'run has no option --nope.'],
    ['run -x', 'run has no option -x.'],
    ['run --mqtt-password=marker', 'run has no option --mqtt-password.'],
    ['doctor --name Hall', 'doctor has no option --name.'],
    ['uninstall --pruge', 'uninstall has no option --pruge. Did you mean --purge?'],
    ['install --dryrun', 'install has no option --dryrun. Did you mean --dry-run?'],
    ['run port 80', 'run takes options only, which begin with --, not "port". Did you mean --port?'],
    ['install now', 'install takes options only, which begin with --, not "now".'],
    ['approvals dney 3f', 'approvals has no command "dney". Did you mean deny?'],
    ['approvals approve 3f', 'Nothing can be approved here: that takes a person in front of the screen.'],
    ['approvals deny', 'deny takes the id of one request, or the beginning of it.'],
    ['approvals deny 3f 4a', 'deny takes the id of one request, or the beginning of it.'],
    ['approvals deny 3g', '"3g" is not an id: those of requests have digits and the letters a to f.'],
    ['approvals deny 3f --relaxed', 'deny and --relaxed cannot be given together.'],
    ['approvals --data=', '--data must name a folder.'],
    ['approvals --relax', 'approvals has no option --relax. Did you mean --relaxed?'],
    ['run --name', '--name needs a value.'],
    ['run --name --port 80', '--name needs a value. One that begins with - is written --name=VALUE.'],
    ['run --inspect=yes', '--inspect takes no value.'],
    [
      'run --profile pi-tuch',
      '--profile knows no profile "pi-tuch". Did you mean raspberry-pi-touch-display-1 or raspberry-pi-touch-display-2?',
    ],
    ['install --profile simluated', '--profile knows no profile "simluated". Did you mean simulated?'],
    ['run --default-profile atuo', '--default-profile knows no profile "atuo". Did you mean auto?'],
  ])('%j is answered with the nearest one', (line, message) => {
    expect(parseCommand(line.split(' '))).toEqual({ ok: false, reason: 'usage', message });
  });

  it.each([
    [['run', '--name=-1'], { settings: { friendly_name: '-1' } }],
    [['run', '--name=A', '--name', 'B'], { settings: { friendly_name: 'B' } }],
    [['run', '--'], { settings: {} }],
    [['approvals'], { data: null, task: { do: 'list' } }],
    [['approvals', '--relaxed', '--data', '/d'], { data: '/d', task: { do: 'relaxed' } }],
    [['approvals', '--data', 'deny', 'deny', '3F'], { data: 'deny', task: { do: 'deny', prefix: '3f' } }],
    [['approvals', 'deny', '3f', '--data=/d'], { data: '/d', task: { do: 'deny', prefix: '3f' } }],
  ])('%j is read', (argv, read) => expect(parseCommand(argv)).toMatchObject({ ok: true, value: { options: read } }));
});
