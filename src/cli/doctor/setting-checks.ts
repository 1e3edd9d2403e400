import { isIP } from 'node:net';
import { SETTINGS } from '#platform/config/env.ts';
import { isLoopbackHost } from '#platform/config/loopback.ts';
import { MAIL_SETTINGS, PAYMENT_SETTINGS } from './ask-others.ts';
import { type DoctorCheck, fail, isProduction, notChecked, ofAsked, ok, warn } from './check.ts';
import { daysBetween } from './time-span.ts';

const STRIPE = 'https://api.stripe.com';
const MAX_CALLS_PER_SECOND = 1_000;
const MAX_RATE_AGE_DAYS = 90;

/** What is configured, and whether it makes sense together. */
export const SETTING_CHECKS: readonly DoctorCheck[] = [
  {
    id: 'settings',
    what: 'names of settings',
    check: ({ env, config }) => {
      if (config.warnings.length > 0) return warn(config.warnings.join('; '), 'correct the setting');
      const set = SETTINGS.filter(({ name }) => Boolean(env[name] ?? env[`${name}_FILE`]));
      return ok(`${set.length} are set, none is unknown`);
    },
  },
  {
    id: 'profile',
    what: 'profile',
    settings: /^AVOUCH_PROFILE$/,
    check: (facts) =>
      isProduction(facts)
        ? ok('production')
        : warn('the profile is sandbox', 'set AVOUCH_PROFILE=production to serve others'),
  },
  {
    id: 'base-url',
    what: 'form of the public address',
    settings: /^BASE_URL$/,
    check: (facts) => {
      const host = URL.parse(facts.config.baseUrl ?? '')?.hostname ?? '';
      const isPrivate =
        isLoopbackHost(host) ||
        isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0 ||
        /\.(invalid|local|internal|test)$/.test(host);
      if (!isProduction(facts) || !isPrivate) return ok(facts.config.baseUrl ?? 'taken from HOST and PORT');
      return warn(`${host} is no public name`, 'set BASE_URL to the name under which callers reach the service');
    },
  },
  {
    id: 'own-address',
    what: 'answer at the public address',
    check: ofAsked('ownAddress', 'correct BASE_URL, the name service or the proxy in front'),
  },
  {
    id: 'operator',
    what: 'name and contact of the operator',
    settings: /^AVOUCH_OPERATOR_/,
    check: ({ config: { operator } }) => ok(`${operator.name}, ${operator.contact}`),
  },
  {
    id: 'listen',
    what: 'address to listen on',
    settings: /^(HOST|PORT)$/,
    check: (facts) => {
      const { config, listenFault, isServed } = facts;
      const address = `${config.host}:${config.port}`;
      if (isProduction(facts) && config.port === 0) return fail('PORT is 0: every start takes another', 'set PORT');
      if (listenFault === 'EADDRINUSE' && isServed) return ok(`${address} is taken by the running service`);
      if (listenFault === null) return ok(`${address} is free`);
      return fail(`${address} cannot be taken (${listenFault})`, 'stop the other program or set HOST and PORT');
    },
  },
  {
    id: 'proxies',
    what: 'proxies in front',
    settings: /^AVOUCH_TRUSTED_PROXIES$/,
    check: (facts) => {
      const { host, trustedProxies } = facts.config;
      if (trustedProxies.length > 0) return ok(`${trustedProxies.join(', ')} may say who calls`);
      if (!isProduction(facts)) return ok('none is trusted: callers are who connects');
      if (!isLoopbackHost(host))
        return warn('no proxy is trusted', 'name it in AVOUCH_TRUSTED_PROXIES if one ends TLS');
      const cure = 'name the proxy in AVOUCH_TRUSTED_PROXIES';
      return fail('only a proxy on this machine can call, and none is trusted: all callers share one limit', cure);
    },
  },
  {
    id: 'limits',
    what: 'rates and queues',
    settings: /^AVOUCH_(RATE_|COMMIT_|MAX_CONNECTIONS|IPV6_PREFIX|EVENT_DAYS)/,
    check: ({ config }) => {
      const high = Object.entries(config.rates).filter(
        ([, { calls, perSeconds }]) => calls / perSeconds > MAX_CALLS_PER_SECOND,
      );
      if (high.length === 0) return ok(`none allows more than ${MAX_CALLS_PER_SECOND} calls a second from one address`);
      const names = high.map(([name]) => name).join(', ');
      return warn(`more than ${MAX_CALLS_PER_SECOND} calls a second from one address: ${names}`, 'lower AVOUCH_RATE_*');
    },
  },
  {
    id: 'open-files',
    what: 'file descriptors',
    check: ({ config: { maxConnections }, openFiles }) => {
      if (openFiles === null) return notChecked('this system does not tell its limit');
      const said = `${openFiles} open files for ${maxConnections} connections`;
      const cure = 'raise ulimit -n (LimitNOFILE=) or lower AVOUCH_MAX_CONNECTIONS';
      return openFiles >= maxConnections + 200 ? ok(said) : warn(said, cure);
    },
  },
  {
    id: 'registers',
    what: 'credentials of registers',
    settings: /^AVOUCH_(REGISTERS|VIES|KVK|CIR|RDW|CH|MOT|FSF)(_|$)/,
    check: (facts) => {
      const on = Object.entries(facts.config.registers).flatMap(([id, settings]) => (settings === null ? [] : [id]));
      if (!isProduction(facts)) return notChecked('the sandbox answers for the registers itself');
      if (on.length === 0) return notChecked('AVOUCH_REGISTERS is off');
      return ok(`settings are complete for ${on.join(', ')}; /system/status says whether they answer`);
    },
  },
  {
    id: 'payments',
    what: 'way of settlement',
    settings: PAYMENT_SETTINGS,
    check: ({ config: { settlement } }) => {
      if (settlement === null) return ok('the sandbox pays on its own chain');
      const node = URL.parse(settlement.rpcUrl.reveal());
      const isClear = node?.protocol === 'http:' && !isLoopbackHost(node.hostname);
      if (isClear) return warn('the node is asked in clear', 'use an https address in AVOUCH_RPC_URL');
      return ok(settlement.backend === 'chain' ? 'by transactions of its own' : 'by a facilitator');
    },
  },
  {
    id: 'node',
    what: 'node of the chain',
    check: ofAsked('node', 'correct AVOUCH_RPC_URL, or see to the node and the account of the settler'),
  },
  {
    id: 'facilitator',
    what: 'facilitator of payments',
    check: ofAsked('facilitator', 'correct AVOUCH_FACILITATOR_URL and its credential, or ask who runs it'),
  },
  {
    id: 'signatures',
    what: 'check of payment signatures',
    settings: /^AVOUCH_SECP256K1$/,
    check: ({ recoverEngines }) => {
      const faults = recoverEngines.flatMap((one) => (one.engine === undefined ? [`${one.name}: ${one.fault}`] : []));
      const runs = recoverEngines.find(({ engine }) => engine !== undefined)?.engine;
      if (runs === undefined) return fail(`nothing checks them; ${faults.join('; ')}`, 'run npm ci');
      const said = [`${runs.name} (${runs.detail})`, ...faults].join('; ');
      return runs.name === '@noble/curves' ? warn(said, 'run npm ci: this is the slow one') : ok(said);
    },
  },
  {
    id: 'pay-to',
    what: 'account that is paid',
    settings: /^AVOUCH_PAY_TO$/,
    check: ({ config: { payTo } }) => ok(payTo ?? 'the sandbox has an account of its own'),
  },
  {
    id: 'cards',
    what: 'processor of cards',
    settings: /^AVOUCH_(WALLET_TOPUP|STRIPE)(_|$)/,
    check: (facts) => {
      const { topUp } = facts.config;
      if (topUp.by === 'off') return notChecked('AVOUCH_WALLET_TOPUP is off');
      if (!isProduction(facts) || topUp.by !== 'stripe') return ok(`top-ups by ${topUp.by}`);
      const isReal = topUp.baseUrl === STRIPE;
      return isReal
        ? ok('live keys are set; the processor itself was not asked')
        : fail(`cards are charged at ${topUp.baseUrl}`, 'unset AVOUCH_STRIPE_BASE_URL');
    },
  },
  {
    id: 'exchange-rate',
    what: 'rate of the dollar',
    settings: /^AVOUCH_FX_/,
    check: ({ config, nowMs }) => {
      const days = daysBetween(Date.parse(config.capabilities.fx.asOf), nowMs);
      if (days <= MAX_RATE_AGE_DAYS) return ok(`the rate is of ${config.capabilities.fx.asOf}`);
      return warn(`the rate is ${days} days old`, 'set AVOUCH_FX_USD_EUR and AVOUCH_FX_AS_OF');
    },
  },
  {
    id: 'capabilities',
    what: 'model providers and prices',
    settings: /^AVOUCH_(CAPABILITY|PRICES)_/,
    check: (facts) => {
      const { providers, prices } = facts.config.capabilities;
      if (providers === null && !isProduction(facts)) return ok('the sandbox has a provider of its own');
      if (providers === null) return ok('no file of providers: only what needs no model provider runs');
      const of = prices === null ? 'the prices of this release' : 'a file of prices';
      return ok(`${providers.map(({ name }) => name).join(', ')} with ${of}; they were not asked`);
    },
  },
  {
    id: 'mail',
    what: 'outgoing mail',
    settings: MAIL_SETTINGS,
    check: ofAsked('mail', 'correct AVOUCH_SMTP_URL, or see to the mail server'),
  },
];
