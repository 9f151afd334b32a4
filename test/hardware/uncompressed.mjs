import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** Where a bzImage says what lies where (Documentation/arch/x86/boot.rst). */
const SETUP_SECTORS = 0x1f1;
const PAYLOAD_OFFSET = 0x248;
const PAYLOAD_LENGTH = 0x24c;
const SECTOR_BYTES = 512;
/** Behind these two kinds the kernel's build writes the unpacked size, which is no part of them. */
const SIZE_BYTES = 4;
/** How each kind begins, and the tool that unpacks it. */
const KINDS = [
  ['28b52ffd', 'zstd', SIZE_BYTES],
  ['fd377a58', 'xz', SIZE_BYTES],
  ['1f8b', 'gzip', 0],
];

/**
 * Unpacks the kernel that a bzImage holds into a file and answers its path; the image's own path where this machine
 * cannot. An emulated processor needs ten seconds to unpack it by itself.
 */
export function uncompressed(image, into) {
  const bytes = readFileSync(image);
  const start = ((bytes[SETUP_SECTORS] || 4) + 1) * SECTOR_BYTES + bytes.readUInt32LE(PAYLOAD_OFFSET);
  const payload = bytes.subarray(start, start + bytes.readUInt32LE(PAYLOAD_LENGTH));
  const [, tool, behind] = KINDS.find(([magic]) => payload.toString('hex', 0, 4).startsWith(magic)) ?? [];
  if (tool === undefined) return image;
  const out = openSync(into, 'w');
  try {
    const input = payload.subarray(0, payload.length - behind);
    execFileSync(tool, ['-d', '-c'], { input, stdio: ['pipe', out, 'ignore'], timeout: 60_000 });
    return into;
  } catch {
    return image;
  } finally {
    closeSync(out);
  }
}

/** What the kernel's build puts behind a module's signature, and the size of what stands before that. */
const SIGNED = Buffer.from('~Module signature appended~\n');
const SIGNATURE_INFO_BYTES = 12;

/**
 * A module without its signature (kernel/module/signing.c); as it is where it has none. Checking all of them takes an
 * emulated processor more than a second.
 */
export function unsigned(module) {
  if (!module.subarray(-SIGNED.length).equals(SIGNED)) return module;
  const end = module.length - SIGNED.length;
  return module.subarray(0, end - SIGNATURE_INFO_BYTES - module.readUInt32BE(end - 4));
}
