// What other features read tables with that users bring.
export { plain } from './import.fields.ts';
export { readTable } from './import.reader.ts';
