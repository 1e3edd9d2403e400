// The Chromium of this machine.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Several programs start; this says only that one of them hung. */
const LAUNCH_HUNG_MS = 300_000;
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const WIDE = { width: 1280, height: 900 };

/** The program of a Chromium, or undefined where this machine has none. */
export function chromiumPath(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = given === undefined ? folders.flatMap((folder) => NAMES.map((name) => join(folder, name))) : [given];
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath() ?? 'chromium', args: ARGUMENTS, timeout: LAUNCH_HUNG_MS });
}
