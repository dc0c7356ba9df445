package local

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"touchline/shared/signing"
)

// requestOf is the request as it was sent: its URL has the raw path, which may hold
// a malformed escape, and the raw query alone. It does not end with its caller, as
// none does on AWS.
func requestOf(r *http.Request) *http.Request {
	path, query, _ := strings.Cut(originForm(unescape(r.RequestURI)), "?")
	return &http.Request{
		Method: r.Method, URL: &url.URL{RawPath: path, RawQuery: query}, Host: r.Host, Header: r.Header,
		ContentLength: r.ContentLength, Body: r.Body, RemoteAddr: r.RemoteAddr,
	}
}

// originForm removes scheme and authority from a target in absolute form, which
// callers send to proxies (RFC 9112, 3.2.2).
func originForm(target string) string {
	if strings.HasPrefix(target, "/") {
		return target
	}
	_, rest, absolute := strings.Cut(target, "://")
	if !absolute {
		return target // "*", or the authority of a CONNECT
	}
	i := strings.IndexAny(rest, "/?")
	switch {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	}
	return rest[i:]
}

// ofPage reports whether a browser sent a request for a web page. The page cannot
// leave these headers out. For an address that somebody typed the browser sends none
// of them, or the value none. Sec-Fetch-Mode says nothing: Node's fetch sends it. A
// request with a signature's header is of no page: the browser would have asked first,
// by a preflight, and no answer allows it (D87). So a server that hands the headers of
// its visitors on is answered.
func ofPage(r *http.Request) bool {
	if len(r.Header.Values(signing.HeaderSignature)) > 0 {
		return false
	}
	site := r.Header.Values("Sec-Fetch-Site")
	return len(r.Header.Values("Origin")) > 0 || slices.ContainsFunc(site, func(s string) bool { return s != "none" })
}

// caller is the address of the caller. Everything in X-Forwarded-For before the
// addresses that trusted proxies have added is the caller's own word.
func (s *Server) caller(r *http.Request) string {
	from := r.RemoteAddr
	if address, err := netip.ParseAddrPort(from); err == nil {
		from = address.Addr().Unmap().WithZone("").String()
	}
	forwarded := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for i := len(forwarded) - 1; i >= 0 && s.trusts(from); i-- {
		address, err := netip.ParseAddr(strings.TrimSpace(forwarded[i]))
		if err != nil {
			break // no proxy wrote that
		}
		from = address.Unmap().WithZone("").String()
	}
	return from
}

func (s *Server) trusts(address string) bool {
	a, err := netip.ParseAddr(address)
	return err == nil && slices.ContainsFunc(s.Trusts, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}
