// npm run test:outside [-- names of frameworks]: the packages as their users install them; needs the package registry.
const frameworks = process.argv.slice(2);
process.env['OUTSIDE_FRAMEWORKS'] = frameworks.join(' ');
process.argv.splice(2, frameworks.length, '--more', frameworks.length === 0 ? 'outside/' : 'outside/frameworks');
await import('./test.ts');
