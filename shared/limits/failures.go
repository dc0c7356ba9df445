package limits

import (
	"net/netip"
	"time"
)

// IPv6Bits is the length of the prefix that a caller on IPv6 is known by: a /64
// is what one caller is given as a rule, and it holds more addresses than any
// counter could tell apart.
const IPv6Bits = 64

// Failures counts failed authentications per caller address (D2). A caller on
// IPv4 is its address, also where it is written as IPv6; a caller on IPv6 is its
// prefix. What is no address counts as one caller, so that nothing goes
// uncounted.
//
// Peek and Count are two steps, so requests in flight at the same time may
// overrun the limit by their number; a Lambda worker serves one at a time.
type Failures struct {
	// Windows counts; its Limit is the number of failures that are borne.
	Windows *Windows[netip.Prefix]
	// IPv6Bits is the length of an IPv6 caller's prefix, 1 to 128; any other value
	// is the constant IPv6Bits. 128 counts every address by itself.
	IPv6Bits int
}

// Peek decides whether a request from ip may be looked at (D1 step 6); it
// counts nothing.
func (f *Failures) Peek(ip string, now time.Time) Decision {
	return f.Windows.Peek(f.caller(ip), now)
}

// Count counts one failed authentication from ip (D1 steps 7 to 11).
func (f *Failures) Count(ip string, now time.Time) {
	f.Windows.Take(f.caller(ip), now)
}

// caller gives what ip is counted as; the zero Prefix for what is no address.
func (f *Failures) caller(ip string) netip.Prefix {
	address, err := netip.ParseAddr(ip)
	if err != nil {
		return netip.Prefix{}
	}
	address = address.Unmap()
	bits := address.BitLen()
	if address.Is6() {
		bits = IPv6Bits
		if 1 <= f.IPv6Bits && f.IPv6Bits <= address.BitLen() {
			bits = f.IPv6Bits
		}
	}
	return netip.PrefixFrom(address, bits).Masked() // drops the zone
}
