import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { directImports } from './scripts/vite/direct-imports.ts';
import { leanAntd, leanContract } from './scripts/vite/lean.ts';
import { precompress } from './scripts/vite/precompress.ts';
import { startPage } from './scripts/vite/start-page.ts';

const packageIn = (...names: string[]) => new RegExp(`[\\\\/]node_modules[\\\\/](${names.join('|')})[\\\\/]`);

const backOffice = `http://localhost:${process.env.LIVECODE_PORT || 3000}`;

export default defineConfig({
  root: 'src/web',
  plugins: [react(), leanAntd(), directImports(), leanContract(), startPage(), precompress()],
  server: {
    port: 5173,
    proxy: { '/api': { target: backOffice, ws: true }, '/file': backOffice, '/healthz': backOffice },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    sourcemap: false,
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The palette finds screens by their English names in every language.
            { name: 'menu-english', test: /src[\\/]locales[\\/]en-US[\\/]menu\.json$/, priority: 90 },
            { name: 'react', test: packageIn('react', 'react-dom', 'scheduler', 'react-router'), priority: 80 },
            { name: 'echarts', test: packageIn('echarts', 'zrender'), priority: 70 },
            // The login, and what every page begins with.
            { name: 'start', tags: ['$initial'], priority: 60 },
            // The socket and sealed passwords.
            { name: 'sealing', test: /node_modules[\\/]@noble[\\/]|web[\\/]kit[\\/]base64\.ts$/, priority: 55 },
            { name: 'contract', test: /[\\/](node_modules[\\/]zod|src[\\/]contract)[\\/]|kit[\\/]checks\.ts$/, priority: 50 },
            // The frame around all screens, then a list, then a form, each with what it stands on and those before it have not.
            { name: 'office', test: /src[\\/]web[\\/](routes|kit[\\/](Look|shell[\\/]Shell|feedback[\\/]Page))\.tsx$/, priority: 40 },
            {
              name: 'list',
              test: /src[\\/]web[\\/]kit[\\/](ListPage|list[\\/]ListView|dialogs[\\/]removal)\.tsx$|antd[\\/]es[\\/](switch|tag|segmented)[\\/]index/,
              priority: 30,
            },
            { name: 'codes', test: /src[\\/]web[\\/]live-codes[\\/](QrCodeListPage|AllLiveCodesPage)\.tsx$/, priority: 25 },
            { name: 'form', test: /src[\\/]web[\\/]kit[\\/]dialogs[\\/]FormModal\.tsx$/, priority: 20 },
            // What figures are drawn with and texts with markup, then the start page.
            { name: 'charts', test: /kit[\\/](places|charts[\\/](ChinaMap|LineChart|StatCard|BarList|labels))\.tsx?$/, priority: 18 },
            { name: 'rich-text', test: /kit[\\/]rich-text[\\/]RichText\.tsx$/, priority: 18 },
            { name: 'home', test: /src[\\/]web[\\/]home[\\/]HomePage\.tsx$/, priority: 15 },
            // Whoever makes a PDF asks for it: no part of a screen is to lie with it.
            { name: 'pdf', test: packageIn('jspdf', 'svg2pdf.js'), priority: 12 },
            // Greater, small parts that many screens share are put to a large one that few need.
            { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000, priority: 10 },
          ],
        },
      },
    },
  },
});
