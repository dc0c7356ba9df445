package limits

import (
	"net/netip"
	"time"
)

const (
	// CallerBits is the length of the prefix that a caller on IPv6 is known by: a
	// /64 is what one host or home is usually given.
	CallerBits = 64
	// SiteBits is the length of the prefix of a whole site on IPv6, which often has
	// all the /64 in a /48.
	SiteBits = 48
	// SiteFactor is how many times the limit of a caller a site has: those who share
	// one do not share a key, and must not lock each other out at once.
	SiteFactor = 5
)

// Failures counts failed authentications per caller (D2). A caller on IPv4 is its
// address, also where that is written as IPv6; a caller on IPv6 is its /64, and
// counts for its /48, too, so that owning many /64 does not lift the limit. All
// that is not an address is one caller, so that nothing goes uncounted.
//
// Peek and Count are two steps, so concurrent requests may pass the limit by
// their number; a Lambda worker serves one at a time.
type Failures struct {
	callers, sites Windows[netip.Prefix]
}

// NewFailures allows so many failures per caller in a window of that length.
func NewFailures(limit int, length time.Duration) *Failures {
	return &Failures{
		callers: Windows[netip.Prefix]{Limit: limit, Length: length},
		sites:   Windows[netip.Prefix]{Limit: limit * SiteFactor, Length: length},
	}
}

// Peek decides whether a request from a caller, an address as front doors give
// it, may be looked at (D1 step 6); it counts nothing.
func (f *Failures) Peek(address string, now time.Time) Decision {
	caller := ParseCaller(address)
	d := f.callers.Peek(prefix(caller, CallerBits), now)
	if site := prefix(caller, SiteBits); d.Allowed && site.Addr().Is6() {
		if s := f.sites.Peek(site, now); !s.Allowed {
			return s
		}
	}
	return d
}

// Count counts one failed authentication of a caller (D1 steps 7 to 11).
func (f *Failures) Count(address string, now time.Time) {
	caller := ParseCaller(address)
	f.callers.Take(prefix(caller, CallerBits), now)
	if site := prefix(caller, SiteBits); site.Addr().Is6() {
		f.sites.Take(site, now)
	}
}

// prefix is what an address is counted as: bits of one on IPv6, all of one on
// IPv4; the zero Prefix for the zero Addr.
func prefix(address netip.Addr, bits int) netip.Prefix {
	address = address.Unmap()
	if !address.Is6() {
		bits = address.BitLen()
	}
	return netip.PrefixFrom(address, bits).Masked() // drops the zone
}

// ParseCaller reads a caller's address as front doors give it: alone or with a
// port. It is the zero Addr for any other text.
func ParseCaller(text string) netip.Addr {
	if address, err := netip.ParseAddr(text); err == nil {
		return address
	}
	if both, err := netip.ParseAddrPort(text); err == nil {
		return both.Addr()
	}
	return netip.Addr{}
}
