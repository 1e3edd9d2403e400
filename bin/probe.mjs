// Asks the service in this container, without a shell and without starting the program: node bin/probe.mjs readyz
import { get } from 'node:http';

const { AVOUCH_OPS_PORT, PORT = '8402' } = process.env;
const path = `/${process.argv[2] ?? 'readyz'}`;
const request = get({ host: '127.0.0.1', port: AVOUCH_OPS_PORT ?? PORT, path, timeout: 5_000 }, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1;
  response.pipe(process.stdout);
});
request.on('timeout', () => request.destroy(new Error(`${path} took over 5 seconds`)));
request.on('error', ({ message }) => {
  console.error(message);
  process.exitCode = 1;
});
