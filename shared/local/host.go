package local

import (
	"net"
	"net/netip"
	"strings"
)

// LoopbackHost reports whether the value of a Host header names the loopback
// interface: localhost, also as localhost., or an address of 127.0.0.0/8 or ::1, with a port or
// without.
func LoopbackHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	if strings.EqualFold(strings.TrimSuffix(name, "."), "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback()
}
