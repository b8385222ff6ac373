export { type JsonHit, JsonReader } from './json-reader.js';
export { type JsonSelection, type JsonStep, pathInWords } from './json-paths.js';
