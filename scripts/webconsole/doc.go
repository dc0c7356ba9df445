// Package webconsole is the operator's console: a web application for the
// browser of whoever runs a Touchline, on the loopback interface of her machine.
// `touchline console` serves it.
//
// Pages are made on the server from templates. A script adds what HTML cannot
// do: pages that refresh themselves, copying, and dropping files (assets/app.js).
// Everything works from the keyboard, and all but these three without the script.
//
// # What keeps others out
//
//   - The first address holds a random token, which is good for one login: it is
//     exchanged for a cookie, and the console prints another address.
//   - Every request needs the cookie (HttpOnly, SameSite=Strict), but for the
//     login itself and for the style sheet, the script and the icon.
//   - The Host header must be this console's own address, so that no page whose
//     name was made to resolve to this machine reaches it. A request that a
//     browser says came from another origin, even from another port of this
//     machine, is refused.
//   - A POST needs the page's Origin and a token that its form holds.
//   - Pages may load nothing but the console's own style sheet, script and icon,
//     and may not be framed or kept: a Content-Security-Policy without inline
//     script or style, and Cache-Control: no-store. Pictures of clubs and players,
//     which are elsewhere, are not shown.
//   - The secret of a key is shown on one page, once, when it is made.
//
// Browsers send a cookie to every port of a host. A server that another user of
// this machine runs could take the cookie of an operator who visits it, and use
// it; who shares a machine with people she does not trust runs no console there.
//
// # What the pages show
//
// Data pages (package data) ask the operations of the API directly, as a key of
// the chosen organization with all scopes and descendants would, and show the
// request, the page made of its response, and the response's JSON. They read the
// table past any cache, need no key and count for no quota. What is hidden from
// every key is hidden here.
package webconsole
