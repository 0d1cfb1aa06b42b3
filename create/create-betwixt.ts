#!/usr/bin/env node
/**
 * The command of the package `create-betwixt`: `npm create betwixt@latest my-app` is `betwixt create my-app`, by the release
 * of betwixt that this package depends on, which the app then has too.
 */
process.argv.splice(2, 0, 'create');
// Not an entry point, so not exported: found next to the package.json, which is.
await import(new URL('bin/cli.js', import.meta.resolve('betwixt/package.json')).href);
