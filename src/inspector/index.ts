/** Entry point for the display that inspects a running simulation: `betwixt/inspector`. */
export { showInspector, type Inspector } from './inspector.js';
export type { InspectedSimulation, InspectorOptions, InspectorPart } from './inspector-options.js';
