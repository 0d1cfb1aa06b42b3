/** What follows from the mass of a body: the page's engine computes it. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import { vector } from '../checks/checked-values.js';
import type { EngineBody } from '../engine/query-world.js';
import type { WorldLink } from '../handles/world-link.js';
import { SdpMatrix3 } from '../values/sdp-matrix.js';

const zero = (): Vector => ({ x: 0, y: 0, z: 0 });

export abstract class BodyMass {
  abstract readonly handle: number;
  protected abstract readonly link: WorldLink;
  abstract linvel(): Vector;
  abstract angvel(): Vector;

  mass(): number {
    return this.askEngine((body) => body.mass(), 0);
  }

  invMass(): number {
    return this.askEngine((body) => body.invMass(), 0);
  }

  effectiveInvMass(): Vector {
    return this.askEngine((body) => body.effectiveInvMass(), zero());
  }

  localCom(): Vector {
    return this.askEngine((body) => body.localCom(), zero());
  }

  worldCom(): Vector {
    return this.askEngine((body) => body.worldCom(), zero());
  }

  principalInertia(): Vector {
    return this.askEngine((body) => body.principalInertia(), zero());
  }

  invPrincipalInertia(): Vector {
    return this.askEngine((body) => body.invPrincipalInertia(), zero());
  }

  principalInertiaLocalFrame(): Rotation {
    return this.askEngine((body) => body.principalInertiaLocalFrame(), { ...zero(), w: 1 });
  }

  effectiveAngularInertia(): SdpMatrix3 {
    return this.askEngine(
      (body) => new SdpMatrix3(body.effectiveAngularInertia().elements),
      NO_INERTIA,
    );
  }

  effectiveWorldInvInertia(): SdpMatrix3 {
    return this.askEngine(
      (body) => new SdpMatrix3(body.effectiveWorldInvInertia().elements),
      NO_INERTIA,
    );
  }

  velocityAtPoint(point: Readonly<Vector>): Vector {
    const { x, y, z } = vector('point', point);
    const center = this.worldCom();
    const [v, w] = [this.linvel(), this.angvel()];
    const [rx, ry, rz] = [x - center.x, y - center.y, z - center.z];
    return {
      x: v.x + w.y * rz - w.z * ry,
      y: v.y + w.z * rx - w.x * rz,
      z: v.z + w.x * ry - w.y * rx,
    };
  }

  /** @param nothing The answer about a body that was removed, which is reported once. */
  protected askEngine<T>(question: (body: EngineBody) => T, nothing: T): T {
    const { link, handle } = this;
    if (!link.has('body', this)) {
      link.warnOfRemoved('body', this);
      return nothing;
    }
    return link.engine().askBody(handle, question) ?? nothing;
  }
}

const NO_INERTIA = new SdpMatrix3([0, 0, 0, 0, 0, 0]);
