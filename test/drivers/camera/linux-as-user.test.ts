import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { enumerateVideo } from '#drivers/camera/linux.ts';
import { becomeUser } from '#test/drivers/become-user.ts';

becomeUser();

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sconce-camera-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('enumerating video devices as an ordinary user', () => {
  it('says that the file may not be opened', async () => {
    await mkdir(join(root, 'dev'));
    await writeFile(join(root, 'dev/video0'), '', { mode: 0o000 });
    expect(await enumerateVideo(root)).toMatchObject([{ access: 'refused' }]);
  });

  it('is null where the system will not list them', async () => {
    await mkdir(join(root, 'sys/class/video4linux/video0'), { recursive: true });
    await chmod(join(root, 'sys/class/video4linux'), 0o000);
    expect(await enumerateVideo(root)).toBeNull();
    await chmod(join(root, 'sys/class/video4linux'), 0o700);
  });
});
