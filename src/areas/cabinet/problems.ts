import { defineProblem } from '#kernel/problem.ts';

export const linkInvalid = defineProblem({
  code: 'link_invalid',
  status: 401,
  title: 'Invalid link or code',
  help: 'The link or code is wrong, already used, older than 15 minutes, or was requested in another browser. Request a new one in the browser that you use now. After too many wrong codes, only links work. You are not signed in.',
  next: { href: '/dashboard/login', label: 'Try again' },
});
export const noSession = defineProblem({
  code: 'no_session',
  status: 401,
  title: 'Not signed in',
  help: 'This page is for people who own agents. Sign in at /dashboard/login with the email address that your agents were registered with. Nothing was changed.',
});
export const csrf = defineProblem({
  code: 'csrf',
  status: 403,
  title: 'Form expired',
  help: 'The request did not carry the csrf value of your session, or it did not come from this site. Reload the page and try again. Programs send the value as the csrf field or the X-CSRF-Token header. Nothing was changed.',
});
export const foreignOrigin = defineProblem({
  code: 'origin',
  status: 403,
  title: 'Cross-origin request blocked',
  help: 'The Origin header names another site. Send the request from a page of this service. Nothing was changed.',
});
export const mailNotConfigured = defineProblem({
  code: 'mail_not_configured',
  status: 503,
  title: 'Email is off',
  help: 'This installation does not send email, so nobody can sign in. The operator sets AVOUCH_MAIL. No email was sent.',
});
export const notOfAccount = defineProblem({
  code: 'not_of_account',
  status: 404,
  title: 'Not found in your account',
  help: 'Your account has no agent, key, task, order, mandate or session with this id. Check the id. Nothing was changed.',
});
export const agentNotAccepted = defineProblem({
  code: 'agent_not_accepted',
  status: 409,
  title: 'Agent not accepted yet',
  help: 'Someone registered this agent with your email address. Accept it on the dashboard before you top it up. Nothing was charged.',
});
export const agentAccepted = defineProblem({
  code: 'agent_accepted',
  status: 409,
  title: 'Agent already accepted',
  help: 'You have accepted this agent, so you can no longer refuse it. Revoke its keys to stop it. Nothing was changed.',
});
export const accountInUse = defineProblem({
  code: 'account_in_use',
  status: 409,
  title: 'Account in use',
  help: 'Money is on hold, a task, order or card top-up is open, or a wallet has credit that you did not forfeit. Finish or cancel open work, pay an open top-up or wait until it expires, and forfeit the remaining credit. Nothing was deleted.',
});
