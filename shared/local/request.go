package local

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
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
