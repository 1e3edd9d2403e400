import { defineProblem } from '#kernel/problem.ts';

export const linkInvalid = defineProblem({
  code: 'link_invalid',
  status: 401,
  title: 'Link or code not valid',
  help: 'The link or code is wrong, was used, is older than 15 minutes, or belongs to another browser than this one. Ask for a new one in the browser that you use; after too many wrong codes only links work.',
  next: { href: '/cabinet/login', label: 'Try again' },
});
export const noSession = defineProblem({
  code: 'no_session',
  status: 401,
  title: 'Not logged in',
  help: 'This page belongs to an owner of agents. Log in at /cabinet/login with the mail address that the agents were registered under.',
});
export const csrf = defineProblem({
  code: 'csrf',
  status: 403,
  title: 'Not sent from the cabinet',
  help: 'A call that changes something must carry the csrf value of the session, as field csrf or header X-CSRF-Token, and come from this site. Nothing was changed: open the page again and repeat.',
});
export const foreignOrigin = defineProblem({
  code: 'origin',
  status: 403,
  title: 'From another site',
  help: 'The Origin header names another site than this service. Nothing was done.',
});
export const mailNotConfigured = defineProblem({
  code: 'mail_not_configured',
  status: 503,
  title: 'Mail is switched off',
  help: 'This installation sends no mail, so that nobody can log in. The operator sets AVOUCH_MAIL.',
});
export const notOfAccount = defineProblem({
  code: 'not_of_account',
  status: 404,
  title: 'Not of this account',
  help: 'Nothing of this account has this id: neither an agent, nor a key, a task, an order, a mandate or a session.',
});
export const agentNotAccepted = defineProblem({
  code: 'agent_not_accepted',
  status: 409,
  title: 'Not yet your agent',
  help: 'Somebody registered this agent under your mail address. Accept it first; until then no money goes to it from the cabinet.',
});
export const agentAccepted = defineProblem({
  code: 'agent_accepted',
  status: 409,
  title: 'Already your agent',
  help: 'This agent was accepted and stays with the account. Revoke its keys to end it.',
});
export const accountInUse = defineProblem({
  code: 'account_in_use',
  status: 409,
  title: 'Account in use',
  help: 'Money is held, a task or an order is open, or a wallet has credit that was not given up. End them, or give the credit up in words; nothing was deleted.',
});
