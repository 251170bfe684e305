const isSoak = (file) => /soak[\\/]soak/.test(file)

// The long tests alone: `npm test` has the others.
export default {
  files: ['dist/test/**/*.full.test.js'],
  require: ['./dist/test/helpers/exit.js'],
  timeout: '30m',
  // The soak takes half an hour, most of which it waits. So it begins, and two others run beside it.
  sortTestFiles: (a, b) => Number(isSoak(b)) - Number(isSoak(a)),
  concurrency: 3,
  workerThreads: false,
}
