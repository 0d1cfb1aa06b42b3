import { BodyRegistry } from '../src/sim-worker/body-registry.ts';
import { loadRapier } from '../src/sim-worker/engines/rapier.ts';
import { Stage } from '../demo/simulation/stage.ts';
import { SCENES, SCENE_NAMES } from '../demo/contract/scene-contract.ts';
const rapier = await loadRapier('simd');
const HZ = Number(process.argv[2] ?? 60);
const only = process.argv[3];
for (const name of SCENE_NAMES)
  for (const n of [SCENES[name].bodies[1], SCENES[name].bodies[2]]) {
    if (n > 1600 || (only && name !== only)) continue;
    const bodies = new BodyRegistry(4200);
    let forces: number[][] = Array.from({ length: 14 }, () => []);
    let second = 0;
    let scores: Record<number, number> = {};
    let sensors = 0;
    const reporter = {
      run: 0,
      contact() {},
      sensor() {
        sensors++;
      },
      sleep() {},
      contactForce(a, b, force) {
        forces[second].push(force);
      },
      emit(n, v) {
        scores[v.sensor] = v.count;
      },
    };
    const stage = new Stage(rapier, bodies, { name, bodies: n, seed: 1 }, reporter as never);
    stage.open();
    for (second = 0; second < 14; second++) for (let t = 0; t < HZ; t++) stage.step(1 / HZ);
    console.log(
      name,
      n,
      forces.map((f) => `${f.length}`).join(' '),
      'kN',
      Math.min(...forces.flat()).toFixed(1),
      Math.max(...forces.flat()).toFixed(1),
      JSON.stringify(scores),
      sensors,
    );
  }
