'use strict'

// Redoc over the document, without its telemetry and without buttons that lead to
// other companies' pages.
globalThis.Redoc.init(globalThis.touchlineDocument, {
  disableTelemetry: true,
  scrollYOffset: 56, // the bar
  router: 'hash',
  jsonSamplesExpandLevel: 4,
  schemasExpansionLevel: 1,
  hideDownloadButtons: false,
  downloadUrls: [{ title: 'OpenAPI document', url: 'openapi.json' }],
}, document.getElementById('reference'))
