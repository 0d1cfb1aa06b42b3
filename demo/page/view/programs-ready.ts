/** Waits for shaders that compile in the background. */
import type { WebGLRenderer } from 'three';

/** Polling interval, in ms. */
const LOOK_EVERY_MS = 10;

/**
 * Resolves when all shader programs of a renderer can be used without waiting for them, or
 * immediately where the browser cannot report that: there the first use waits. `compileAsync` of
 * three waits only for what a material uses *now*, which may differ as soon as the next frame is
 * drawn.
 */
export async function programsReady(renderer: WebGLRenderer): Promise<void> {
  const context = renderer.getContext();
  const parallel = context.getExtension('KHR_parallel_shader_compile');
  if (parallel === null) return;
  const isReady = (program: WebGLProgram): boolean =>
    // Ignores programs that were deleted in the meantime.
    !context.isProgram(program) ||
    context.getProgramParameter(program, parallel.COMPLETION_STATUS_KHR) === true;
  const pending = new Set<WebGLProgram>();
  for (const { program } of renderer.info.programs ?? []) pending.add(program as WebGLProgram);
  for (;;) {
    if (context.isContextLost()) return;
    for (const program of pending) if (isReady(program)) pending.delete(program);
    if (pending.size === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
