// Builds the image without a hub and runs it once: sh deploy/image.sh --out DIR [--no-run]
import { parseArgs } from 'node:util';
import { buildImage, imageObstacle } from './image/build-image.ts';

const { values } = parseArgs({
  options: { out: { type: 'string' }, run: { type: 'boolean', default: true } },
  allowNegative: true,
});
if (values.out === undefined) throw new Error('--out names the folder that the image is written to');
const obstacle = imageObstacle(values);
if (obstacle === false) {
  const { file, digest, bytes, check } = await buildImage(values.out, values);
  const ran =
    check === null
      ? 'not run'
      : `ready after ${Math.round(check.readyMs)} ms as user ${check.uid}, ended ${Math.round(check.stoppedMs)} ms after SIGTERM`;
  console.log(`${file}: ${digest}, ${Math.ceil(bytes / 1_048_576)} MB, ${ran}`);
} else {
  console.error(obstacle);
  process.exitCode = 1;
}
