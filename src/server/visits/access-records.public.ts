export { accessRecordsExport } from './statistics/access-records.export.ts';
