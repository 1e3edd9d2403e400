// Claims a work key in the main step and releases it in the post step. One file, no dependency.
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';

const { env } = process;
const input = (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const oneLine = (value) => String(value).replaceAll(/[\r\n]+/g, ' ');
const output = (name, value) => appendFileSync(env.GITHUB_OUTPUT, `${name}=${oneLine(value)}\n`);
const keep = (name, value) => appendFileSync(env.GITHUB_STATE, `${name}=${oneLine(value)}\n`);

async function call(path, body) {
  const response = await fetch(new URL(path, input('url')), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  });
  return { ok: response.ok, status: response.status, ...(await response.json()) };
}

/** The token is ours, so a claim whose answer was lost can be sent again. */
async function again(path, body, tries = 4) {
  for (let pause = 1_000; ; pause *= 2, tries -= 1) {
    const answer = await call(path, body).catch((error) => ({ ok: false, code: 'no_answer', detail: error.message }));
    const isUnsure = answer.code === 'no_answer' || answer.status === 429 || answer.status >= 500;
    if (!isUnsure || tries <= 1) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function claim() {
  const token = randomBytes(32).toString('base64url');
  console.log(`::add-mask::${token}`);
  const [key, agent, ttl] = [input('key'), input('agent'), Number(input('ttl') || 3_600)];
  // Kept before the call: its answer may be lost, or the job cancelled while it waits.
  for (const [name, value] of Object.entries({ key, agent, token })) keep(name, value);
  const answer = await again('/v1/claim', { key, agent, ttl, mode: 'exclusive', token });
  output('granted', answer.ok);
  if (answer.ok) {
    keep('lease', answer.lease);
    return output('fence', answer.fence);
  }
  output('reason', answer.code);
  const isError = input('required') !== 'false';
  console.log(`::${isError ? 'error' : 'notice'}::${oneLine(`${key}: ${answer.code}. ${answer.detail}`)}`);
  if (isError) process.exitCode = 1;
}

async function release({ STATE_key: key, STATE_agent: agent, STATE_token: token, STATE_lease: known }) {
  // Returns the lease that this token holds. With negative hops nothing is granted anew.
  const held = async () => (await again('/v1/claim', { key, agent, mode: 'exclusive', token, hops: -1 })).lease;
  const lease = known ?? (await held());
  if (lease !== undefined) await again('/v1/release', { lease, token });
}

/** Only the post step has a state. */
if (env.STATE_token === undefined) await claim();
else await release(env);
