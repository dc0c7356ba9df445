package local

import "testing"

func TestLoopbackHosts(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:80": true, "127.1.2.3:80": true, "[::1]:80": true, "[::1]": true, "::1": true,
		"localhost": true, "LOCALHOST:1": true, "localhost.": true, "localhost.:8080": true, "[::ffff:127.0.0.1]:80": true,
		"": false, ":80": false, "0.0.0.0": false, "10.0.0.1:80": false, "localhost.page.example": false, "page.example": false,
		"127.0.0.1@page.example": false, "2130706433": false, "[::1%25eth0]": false, "localhost:80:80": false, "localhost..": false, "127.0.0.1.": false, ".": false,
	} {
		if got := LoopbackHost(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}
