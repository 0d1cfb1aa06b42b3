/** Everything that the demo draws. */
import { Box3, Ray, Scene } from 'three';
import type { BodyId } from '../../../src/shared/index.js';
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { BodyLook, SceneDescription, StaticLook } from '../../contract/scene-contract.js';
import { Effects } from '../effects/effects.js';
import type { Look } from '../quality/levels.js';
import type { DemoSimulation } from '../start-simulation.js';
import { CameraRig } from './camera-rig.js';
import { ContactShadows } from './contact-shadows.js';
import { GrabLine } from './grab-line.js';
import { Ground, groundOf } from './ground.js';
import { Layout } from './layout.js';
import { Lights } from './lights.js';
import { forgetUploads } from './lost-uploads.js';
import { Materials } from './materials.js';
import { describeFrame } from './frame-key.js';
import { type Pick, pickBody } from './picker.js';
import { SceneMeshes } from './scene-meshes.js';
import { Sky } from './sky.js';
import { SplitOverlay, type Viewport } from './split-view.js';
import { FrameDeduplicator } from './frame-deduplicator.js';
import { Surface, type SurfaceOptions } from './surface.js';

export interface ViewOptions extends Omit<SurfaceOptions, 'onContextLost'> {
  /** The first look. */
  readonly look: Look;
}

declare global {
  /** For the console: `betwixtView.rig.camera.position`. The view that was made last. */
  var betwixtView: DemoView | undefined;
}

export class DemoView {
  /** Has the pointer, the keys and the cursor. */
  readonly element: HTMLCanvasElement;
  readonly rig: CameraRig;
  readonly grabLine = new GrabLine();
  readonly effects: Effects;
  /** Called in every frame, when the camera is where the frame will be drawn from. */
  onFrame: ((frame: SampledFrame) => void) | undefined;
  readonly #surface: Surface;
  readonly #scene = new Scene();
  readonly #materials: Materials;
  readonly #lights: Lights;
  readonly #sky: Sky;
  readonly #overlay: SplitOverlay;
  readonly #layout: Layout;
  #description: SceneDescription | undefined;
  /** Bodies that have meshes. */
  readonly #drawn = new Set<BodyId>();
  #meshes: SceneMeshes | undefined;
  #ground: Ground | undefined;
  /** Made when they are first needed. */
  #contactShadows: ContactShadows | undefined;
  /** The first living bodies are not known yet: the shadows will be fitted to them. */
  #isUnmeasured = false;
  #look: Look;
  readonly #deduplicator = new FrameDeduplicator();
  #lastFrameMs = Number.NaN;
  /** Increases with every change to the drawing that the description of a frame does not cover. */
  #revision = 0;

  /** @throws Error if there is no WebGL 2. */
  constructor(options: ViewOptions) {
    const { look, canvas } = options;
    this.element = canvas;
    this.#look = look;
    this.#surface = new Surface({
      ...options,
      onContextLost: () => {
        this.#meshes?.forgetUploads();
        this.#sky.forgetUnused();
        forgetUploads(this.#scene);
      },
    });
    this.#materials = new Materials(look.materials);
    this.#lights = new Lights(this.#scene, look.shadowPixels);
    this.#sky = new Sky(this.#scene, look.detail);
    this.#scene.add(this.grabLine.root);
    this.effects = new Effects(this.#scene);
    this.rig = new CameraRig(canvas);
    this.#layout = new Layout(this.rig);
    this.#overlay = new SplitOverlay(canvas);
    this.resize();
    globalThis.betwixtView = this;
  }

  /** A software renderer draws. */
  get isSoftware(): boolean {
    return this.#surface.isSoftware;
  }

  /** Pixels per CSS pixel, along a side. */
  get pixelRatio(): number {
    return this.#surface.pixelRatio;
  }

  /**
   * How long the last measured frame took to draw, in ms; undefined if there is none since the last
   * call.
   */
  takeDrawMs(): number | undefined {
    return this.#surface.takeDrawMs();
  }

  /** The scene that is shown. */
  get description(): SceneDescription | undefined {
    return this.#description;
  }

  /**
   * Replaces everything drawn.
   *
   * @param keepsCamera It is the scene that is shown already: the camera stays. Otherwise it
   * returns to its start.
   */
  show(description: SceneDescription, keepsCamera = false): void {
    this.#revision += 1;
    this.#clear();
    this.#description = description;
    const ground = groundOf(description.statics);
    const statics = description.statics.filter((look) => look !== ground);
    this.#meshes = new SceneMeshes(description, statics, this.#materials, this.#look.detail);
    for (const { id } of description.bodies) this.#drawn.add(id);
    this.#scene.add(this.#meshes.root);
    if (ground !== undefined) this.#addGround(ground);
    this.#showContactShadows();
    if (keepsCamera) {
      this.rig.rejoin(description.follow);
    } else {
      this.#isUnmeasured = true;
      this.rig.show(description);
    }
    this.effects.show(description);
    this.#surface.prepareShaders(this.#scene, this.rig.camera);
  }

  /**
   * The shown scene is at another moment of its run. What is not alive then is not drawn anyway.
   */
  showMoment(description: SceneDescription): void {
    this.#revision += 1;
    this.#description = description;
    for (const look of description.bodies) this.addBody(look);
    this.rig.rejoin(description.follow);
    this.effects.clear();
  }

  /** Draws a body that was not in the description. The oldest of them goes when room runs out. */
  addBody(look: BodyLook): void {
    if (this.#drawn.has(look.id)) return;
    this.#revision += 1;
    this.#drawn.add(look.id);
    this.#meshes?.addBody(look);
    this.#contactShadows?.addBody(look);
  }

  /**
   * Draws one frame, unless the canvas already shows the same: the browser keeps that until
   * something is drawn.
   *
   * @param frame What `simulation.sample` returned for this frame.
   * @param frameMs Its time stamp, as from requestAnimationFrame.
   * @returns False if nothing was drawn.
   */
  render(simulation: DemoSimulation, frame: SampledFrame, frameMs: number): boolean {
    const dt = this.#advance(frameMs);
    if (this.#isUnmeasured) this.#measure(frame);
    this.rig.update(frame, dt);
    this.#followFocus();
    this.effects.update(frameMs);
    this.onFrame?.(frame);
    const { isSplit, viewports } = this.#layout;
    if (isSplit) {
      this.rig.updateLatest(simulation.latest, dt);
      this.#overlay.setMode(simulation.interpolation);
    }
    if (this.#isUnchanged(frame, frameMs)) return false;
    if (isSplit) this.#draw(simulation.latest, viewports[0]);
    // The sampled frame comes last: rays then hit the bodies at their interpolated places.
    this.#draw(frame, viewports.at(-1));
    this.#surface.finish();
    this.#deduplicator.drawn();
    return true;
  }

  /** The current look. */
  get look(): Look {
    return this.#look;
  }

  /** Changes the look, from the next frame on. */
  setLook(look: Look): void {
    if (look === this.#look) return;
    this.#revision += 1;
    this.#applyLook(look);
    this.#surface.setLook(look);
  }

  /**
   * Compiles the shaders of a look while the present one is still drawn. Resolves when there is
   * nothing to wait for.
   */
  async prepareLook(look: Look): Promise<void> {
    const present = this.#look;
    this.#applyLook(look);
    this.#surface.prepareShaders(this.#scene, this.rig.camera);
    this.#applyLook(present);
    await this.#surface.shadersReady();
  }

  /** First half: the current state only; second half: the sampled frame. */
  setSplit(on: boolean): void {
    if (on === this.#layout.isSplit) return;
    this.#layout.setSplit(on);
    this.#overlay.show(on);
    if (!on) this.rig.stopCurrentOnly();
  }

  /** Call it when the window was resized. */
  resize(): void {
    const { width, height } = this.#surface.resize();
    this.#overlay.resize();
    this.#layout.setSize(width, height);
  }

  /** The viewport at a place of the page, in the pointer events' coordinates. */
  viewportAt(clientX: number, clientY: number): Viewport {
    const bounds = this.element.getBoundingClientRect();
    const [x, y] = [clientX - bounds.left, clientY - bounds.top];
    const { viewports } = this.#layout;
    const viewport = viewports.findLast(({ left, top }) => x >= left && y >= top) ?? viewports[0];
    if (viewport === undefined) throw new Error('the view has not been laid out');
    return viewport;
  }

  /**
   * The ray from the camera through a place of the page. A place outside the viewport works as
   * well.
   */
  rayAt(
    clientX: number,
    clientY: number,
    viewport = this.viewportAt(clientX, clientY),
    ray = new Ray(),
  ): Ray {
    const bounds = this.element.getBoundingClientRect();
    const x = ((clientX - bounds.left - viewport.left) / viewport.width) * 2 - 1;
    const y = 1 - ((clientY - bounds.top - viewport.top) / viewport.height) * 2;
    const { camera } = viewport;
    camera.updateMatrixWorld();
    ray.origin.copy(camera.position);
    ray.direction.set(x, y, 0.5).unproject(camera).sub(camera.position).normalize();
    return ray;
  }

  /** The first body that a ray hits, as drawn last. */
  pick(ray: Ray): Pick | undefined {
    return this.#meshes === undefined ? undefined : pickBody(this.#meshes, ray);
  }

  /** Everything except the canvas. */
  #applyLook(look: Look): void {
    this.#look = look;
    this.#lights.setShadows(look.shadowPixels);
    this.#materials.setKind(look.materials);
    this.#meshes?.setDetail(look.detail);
    this.#sky.setDetail(look.detail);
    this.#showContactShadows();
  }

  #showContactShadows(): void {
    const isShown = this.#look.shadowPixels === 0;
    if (isShown && this.#contactShadows === undefined && this.#description !== undefined) {
      this.#contactShadows = new ContactShadows(this.#description);
      this.#scene.add(this.#contactShadows.mesh);
    }
    if (this.#contactShadows !== undefined) this.#contactShadows.mesh.visible = isShown;
  }

  #clear(): void {
    this.grabLine.hide();
    this.#drawn.clear();
    this.#meshes?.dispose();
    this.#ground?.dispose();
    this.#contactShadows?.dispose();
    this.#meshes = undefined;
    this.#ground = undefined;
    this.#contactShadows = undefined;
    this.#description = undefined;
  }

  #addGround(look: StaticLook): void {
    this.#ground = new Ground(look, this.#materials);
    this.#scene.add(this.#ground.mesh);
  }

  /** Seconds since the frame before. */
  #advance(frameMs: number): number {
    const elapsedMs = frameMs - this.#lastFrameMs;
    this.#lastFrameMs = frameMs;
    return elapsedMs > 0 ? elapsedMs / 1000 : 0;
  }

  #measure(frame: SampledFrame): void {
    const box = new Box3();
    if (this.#meshes === undefined || this.#meshes.measure(frame, box) === 0) return;
    this.#isUnmeasured = false;
    this.#revision += 1;
    this.#lights.fit(box);
  }

  #followFocus(): void {
    const { target } = this.rig.controls;
    if (this.#description?.follow !== undefined) this.#lights.follow(target);
    this.#ground?.moveUnder(target);
  }

  /** The frame would look like the last drawn one. */
  #isUnchanged(frame: SampledFrame, frameMs: number): boolean {
    const deduplicator = this.#deduplicator;
    const { grabLine, effects } = this;
    grabLine.update(frame);
    const { viewports } = this.#layout;
    const { target } = this.rig.controls;
    const revision = this.#revision + this.#surface.revision;
    describeFrame(deduplicator, { frame, frameMs, viewports, target, grabLine, effects, revision });
    return deduplicator.isSame() && !this.#movesBodies(frame);
  }

  /** Whether bodies are elsewhere in this frame than they were drawn last. */
  #movesBodies(frame: SampledFrame): boolean {
    const meshes = this.#meshes;
    if (meshes === undefined) return false;
    const drawn = meshes.poseHash;
    meshes.update(frame);
    return meshes.poseHash !== drawn;
  }

  #draw(frame: SampledFrame, viewport: Viewport | undefined): void {
    if (viewport === undefined) return;
    this.#meshes?.update(frame);
    if (this.#contactShadows?.mesh.visible === true) this.#contactShadows.update(frame);
    this.grabLine.update(frame);
    this.#surface.draw(this.#scene, viewport, this.#layout.isSplit);
  }
}
