// Package webconsole is the operator's console: a web application for the
// browser of whoever runs Touchline, on the loopback interface of that machine.
// `touchline console` serves it.
//
// Pages are made on the server from templates. A script adds what HTML cannot
// do: dropping files (assets/app.js). Everything can be done with the keyboard, and
// without the script.
//
// # What keeps others out
//
//   - The first address contains a random token, which is good for one login: it is
//     exchanged for a cookie, which works for twelve hours, and the console prints
//     another address. A HEAD does not use it up.
//   - Every request needs the cookie (HttpOnly, SameSite=Strict), except for the login
//     itself and for the style sheet, the script and the icon.
//   - The Host header must be the address of this console, so that no page whose name
//     was made to resolve to this machine reaches it. A request that, according to
//     the browser, comes from another origin is refused, even if that is another port
//     of this machine.
//   - A POST needs the page's Origin, which browsers send with every POST and no page can
//     set: forms need no token besides.
//   - Pages may load nothing but the console's own style sheet, script and icon, and
//     may not be framed or stored: a Content-Security-Policy without inline script or
//     style, and Cache-Control: no-store. Pictures, which are on other sites, are not
//     shown.
//   - No page shows the secret of a key, or changes one: `touchline keys` does.
//
// Browsers send a cookie to every port of a host. A server that another user of
// this machine runs could take the cookie of an operator who visits it, and use
// it: do not run a console on a machine shared with people you do not trust.
//
// # What the pages show
//
// Data pages call the operations of the API directly, as a key of the organization at
// the top with all scopes and descendants would. They read the table without a cache, need
// no key and do not count for any quota. What is hidden from every key is hidden here.
//
// The fixtures of a season are a page for whoever keeps the data: it is made of the
// records, hidden ones among them, in the competition's time zone and with the
// operator's own keys.
//
// # What the form of results changes
//
// The results of a round become patches of its matches (package results), which are loaded
// as a dataset is: checked, shown as differences, and applied when that is confirmed. All
// other data come from the federation's own system or its spreadsheets.
//
// All scores come first in the form, so that Tab goes from one to the next; the style sheet
// puts beside each how the match was decided, and its state. A form with faults begins at
// the first of them.
package webconsole
