/** The files that take longest, the longest first: whatever begins last should be short, or one core waits for it. */
const longest = [/soak[\\/]soak/, /storm[\\/]seeds/, /memory/, /runtimes/, /differential/, /invariants/]

const turnOf = (file) => {
  const turn = longest.findIndex((name) => name.test(file))
  return turn < 0 ? longest.length : turn
}

// The long tests alone: `npm test` has the others.
export default {
  files: ['dist/test/**/*.full.test.js'],
  require: ['./dist/test/helpers/exit.js'],
  timeout: '30m',
  sortTestFiles: (a, b) => turnOf(a) - turnOf(b),
  // The soak takes half an hour, most of which it waits. So two others run beside it.
  concurrency: 3,
  workerThreads: false,
}
