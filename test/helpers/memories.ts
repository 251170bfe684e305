/** Runs the work while every instance that is made is seen, and returns their memories. */
export function watchingMemory(work: () => void): WebAssembly.Memory[] {
  const original = WebAssembly.Instance
  const memories: WebAssembly.Memory[] = []
  WebAssembly.Instance = class extends original {
    constructor(module: WebAssembly.Module, imports: Record<string, Record<string, unknown>>) {
      super(module, imports)
      const { memory } = this.exports as { memory: WebAssembly.Memory }
      memories.push(memory)
    }
  }
  try {
    work()
  } finally {
    WebAssembly.Instance = original
  }
  return memories
}
