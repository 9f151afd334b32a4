import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * Time within which a guest on KVM has to say its first word; where KVM works it needs one to three seconds. A machine
 * may have the device and yet no processor for it: it then refuses, hangs, or interprets one instruction after another.
 */
const FIRST_WORD_MS = 10_000;
/** What the guest says first. */
const FIRST_WORD = 'SCONCE started';

/** What a run without protection from itself saves: emulated, these take a third of the guest's start. */
const KERNEL_OPTIONS = [
  'console=ttyS0 quiet panic=-1',
  'acpi_backlight=video video.register_backlight_delay=1',
  'mitigations=off init_on_alloc=0 nokaslr audit=0 apparmor=0 nowatchdog rodata=off',
  // The keys that modules are signed with, which are none here: reading them is another third.
  'initcall_blacklist=load_system_certificate_list,blacklist_init cryptomgr.notests',
  // A busy machine disturbs the calibration of an emulated cycle counter: a guest has run five times too fast.
  'no_timer_check tsc=unstable',
].join(' ');

/** Arguments of QEMU for a guest with an ACPI backlight, which sees the root of this machine as a shared folder. */
export const guestArguments = ({ kernel, image, acpiTable }) =>
  [
    ['-machine', 'pc', '-m', '1024', '-nodefaults', '-no-reboot', '-display', 'none', '-serial', 'stdio'],
    ['-device', 'VGA,addr=0x2'],
    ['-fsdev', 'local,id=host,path=/,security_model=none,readonly=on,multidevs=remap'],
    ['-device', 'virtio-9p-pci,fsdev=host,mount_tag=host'],
    ['-acpitable', `file=${acpiTable}`],
    ['-kernel', kernel, '-initrd', image],
    ['-append', KERNEL_OPTIONS],
  ].flat();

function whyNoKvm(device) {
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return error.code === 'ENOENT' ? `no ${device}` : `${device} may not be opened (${error.code})`;
  }
}

/** One run of QEMU; `why` is null when the guest said its first word, else why it did not. */
const run = (program, args, { withinMs, firstWordMs, onLine }) =>
  new Promise((resolve) => {
    const lines = [];
    let complaint = '';
    let started = false;
    let late = false;
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => child.kill('SIGKILL');
    const bound = setTimeout(kill, withinMs);
    const silence = setTimeout(() => {
      late = !started;
      if (late) kill();
    }, firstWordMs);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, kill);
    child.stderr.setEncoding('utf8').on('data', (text) => (complaint = (complaint + text).slice(-2000)));
    createInterface({ input: child.stdout }).on('line', (raw) => {
      const line = raw.replace(/\r$/, '');
      lines.push(line);
      started ||= line.startsWith(FIRST_WORD);
      onLine(line);
    });
    const done = (end) => {
      clearTimeout(bound);
      clearTimeout(silence);
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, kill);
      const said = complaint.trim().split('\n')[0];
      const ended = late ? `not a word in ${firstWordMs / 1000} s` : said || `QEMU ended (${end})`;
      resolve({ lines, why: started ? null : ended, complaint });
    };
    child.once('error', (error) => done(error.code));
    child.once('close', (code, signal) => done(signal ?? code));
  });

/**
 * Runs the guest on KVM where that works, which is tried, and else on an emulated processor; answers the lines of its
 * console, what ran it, and what QEMU complained about. `withinMs` bounds the guest, `onLine` gets each line.
 */
export async function runGuest(
  args,
  { withinMs, onLine, program = 'qemu-system-x86_64', kvm = '/dev/kvm', firstWordMs = FIRST_WORD_MS },
) {
  let without = whyNoKvm(kvm);
  if (without === null) {
    const tried = await run(program, ['-accel', 'kvm', '-cpu', 'host', ...args], { withinMs, firstWordMs, onLine });
    if (tried.why === null) return { ...tried, ranBy: 'KVM' };
    without = tried.why;
  }
  const emulated = await run(program, ['-accel', 'tcg', ...args], { withinMs, firstWordMs: withinMs, onLine });
  return { ...emulated, ranBy: `an emulated processor (KVM: ${without})` };
}
