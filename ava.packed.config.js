// What `npm test` runs: all but the long tests, from `packed/` (`scripts/packTests.mjs`). Tests wait for
// sockets and other processes, so four at once use two cores.
export default {
  files: ['packed/test/**/*.test.js', '!packed/test/**/*.full.test.js'],
  require: ['./packed/test/helpers/exit.js'],
  timeout: '10m',
  concurrency: 4,
  workerThreads: false,
}
