// The long tests alone: `npm test` has the others.
export default {
  files: ['dist/test/**/*.full.test.js'],
  require: ['./dist/test/helpers/exit.js'],
  timeout: '30m',
  concurrency: 2,
  workerThreads: false,
}
