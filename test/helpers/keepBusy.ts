/** Does nothing else in this process for some time, as at a breakpoint. */
export function keepBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}
