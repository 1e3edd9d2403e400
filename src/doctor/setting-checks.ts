import { isIP } from 'node:net';
import { type Check, fail, isProduction, ok, warn } from './check.ts';
import { daysBetween } from './time-span.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const STRIPE = 'https://api.stripe.com';
const MOST_CALLS_PER_SECOND = 1_000;
const OLDEST_RATE_DAYS = 90;

/** What is configured, and whether it makes sense together. */
export const SETTING_CHECKS: readonly Check[] = [
  { id: 'settings', what: 'every required setting is there and none is unknown' },
  {
    id: 'profile',
    what: 'the profile is production',
    settings: /^AVOUCH_PROFILE$/,
    check: (facts) =>
      isProduction(facts) ? ok() : warn('the profile is sandbox', 'set AVOUCH_PROFILE=production to serve others'),
  },
  {
    id: 'base-url',
    what: 'the public address is https and can be reached by its name',
    settings: /^BASE_URL$/,
    check: (facts) => {
      const host = URL.parse(facts.config.baseUrl ?? '')?.hostname ?? '';
      const isPrivate = LOOPBACK.has(host) || isIP(host) !== 0 || /\.(invalid|local|internal|test)$/.test(host);
      if (!isProduction(facts) || !isPrivate) return ok(facts.config.baseUrl ?? 'taken from HOST and PORT');
      return warn(`${host} is no public name`, 'set BASE_URL to the name under which callers reach the service');
    },
  },
  { id: 'operator', what: 'the operator can be reached', settings: /^AVOUCH_OPERATOR_/ },
  {
    id: 'listen',
    what: 'the service can listen on its port',
    settings: /^(HOST|PORT)$/,
    check: (facts) => {
      const { config, listenFault, isServed } = facts;
      const address = `${config.host}:${config.port}`;
      if (isProduction(facts) && config.port === 0) return fail('PORT is 0: every start takes another', 'set PORT');
      if (listenFault === 'EADDRINUSE' && isServed) return ok(`${address} is taken by the running service`);
      if (listenFault === null) return ok(address);
      return fail(`${address} cannot be taken (${listenFault})`, 'stop the other program or set HOST and PORT');
    },
  },
  {
    id: 'proxies',
    what: 'the addresses of callers are seen',
    settings: /^AVOUCH_TRUSTED_PROXIES$/,
    check: (facts) => {
      const { host, trustedProxies } = facts.config;
      if (!isProduction(facts) || trustedProxies.length > 0) return ok();
      if (!LOOPBACK.has(host)) return warn('no proxy is trusted', 'name it in AVOUCH_TRUSTED_PROXIES if one ends TLS');
      const cure = 'name the proxy in AVOUCH_TRUSTED_PROXIES';
      return fail('only a proxy on this machine can call, and none is trusted: all callers share one limit', cure);
    },
  },
  {
    id: 'limits',
    what: 'rates and queues are sane',
    settings: /^AVOUCH_(RATE_|COMMIT_|MAX_CONNECTIONS|IPV6_PREFIX|EVENT_DAYS)/,
    check: ({ config }) => {
      const high = Object.entries(config.rates).filter(
        ([, { calls, perSeconds }]) => calls / perSeconds > MOST_CALLS_PER_SECOND,
      );
      if (high.length === 0) return ok();
      const names = high.map(([name]) => name).join(', ');
      return warn(
        `more than ${MOST_CALLS_PER_SECOND} calls a second from one address: ${names}`,
        'lower AVOUCH_RATE_*',
      );
    },
  },
  {
    id: 'open-files',
    what: 'there are file descriptors for all connections',
    check: ({ config, openFiles }) =>
      openFiles === null || openFiles >= config.maxConnections + 200
        ? ok()
        : warn(
            `${openFiles} open files for ${config.maxConnections} connections`,
            'raise ulimit -n (LimitNOFILE=) or lower AVOUCH_MAX_CONNECTIONS',
          ),
  },
  {
    id: 'registers',
    what: 'registers that are asked have their credentials',
    settings: /^AVOUCH_(REGISTERS|VIES|KVK|CIR|RDW|CH|MOT|FSF)(_|$)/,
  },
  {
    id: 'payments',
    what: 'payments can be settled',
    settings: /^AVOUCH_(SETTLEMENT|RPC_URL|FACILITATOR|SETTLER|BATCH)(_|$)/,
    check: ({ config }) => {
      const node = URL.parse(config.settlement?.rpcUrl.reveal() ?? '');
      const isClear = node?.protocol === 'http:' && !LOOPBACK.has(node.hostname);
      return isClear ? warn('the node is asked in clear', 'use an https address in AVOUCH_RPC_URL') : ok();
    },
  },
  {
    id: 'signatures',
    what: 'signatures of payments are checked',
    settings: /^AVOUCH_SECP256K1$/,
    check: ({ recoverEngines }) => {
      const faults = recoverEngines.flatMap((one) => (one.engine === undefined ? [`${one.name}: ${one.fault}`] : []));
      const runs = recoverEngines.find(({ engine }) => engine !== undefined)?.engine;
      if (runs === undefined) return fail(`nothing checks them; ${faults.join('; ')}`, 'run npm ci');
      const said = [`${runs.name} (${runs.detail})`, ...faults].join('; ');
      return runs.name === '@noble/curves' ? warn(said, 'run npm ci: this is the slow one') : ok(said);
    },
  },
  { id: 'pay-to', what: 'paid calls pay an account of the operator', settings: /^AVOUCH_PAY_TO$/ },
  {
    id: 'cards',
    what: 'card payments use live keys of the real processor',
    settings: /^AVOUCH_(WALLET_TOPUP|STRIPE)(_|$)/,
    check: (facts) => {
      const { topUp } = facts.config;
      if (!isProduction(facts) || topUp.by !== 'stripe') return ok(`top-ups: ${topUp.by}`);
      const isReal = topUp.baseUrl === STRIPE;
      return isReal ? ok() : fail(`cards are charged at ${topUp.baseUrl}`, 'unset AVOUCH_STRIPE_BASE_URL');
    },
  },
  {
    id: 'exchange-rate',
    what: 'the rate of the dollar is not old',
    settings: /^AVOUCH_FX_/,
    check: ({ config, nowMs }) => {
      const days = daysBetween(Date.parse(config.capabilities.fx.asOf), nowMs);
      if (days <= OLDEST_RATE_DAYS) return ok(`of ${config.capabilities.fx.asOf}`);
      return warn(`the rate is ${days} days old`, 'set AVOUCH_FX_USD_EUR and AVOUCH_FX_AS_OF');
    },
  },
  { id: 'capabilities', what: 'model providers and prices can be read', settings: /^AVOUCH_(CAPABILITY|PRICES)_/ },
  { id: 'mail', what: 'mail can be sent', settings: /^AVOUCH_(MAIL|SMTP|ORDER_MAIL)(_|$)/ },
];
