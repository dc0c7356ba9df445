package pipeline

import (
	"bytes"
	"compress/gzip"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxBody is the longest body of an answer in bytes (D48), before compression.
	maxBody = 5_000_000
	// maxPayload is the longest that a body may be as a string in JSON, which is how
	// a Lambda function returns one that is not compressed: Lambda takes 6 MiB
	// (6,291,556 bytes), headers included.
	maxPayload = 6_200_000
	// minCompressed is the length in bytes from which on a body is compressed (D49).
	minCompressed = 1024
)

const (
	headerContentEncoding = "Content-Encoding"
	headerVary            = "Vary"
	acceptEncoding        = "Accept-Encoding"
	encodingGzip          = "gzip"
)

// compressors are used again: a gzip.Writer takes 800 KB.
var compressors = sync.Pool{New: func() any {
	// The fastest level: on lists of this API it leaves 12 % more than the default
	// one and takes a third of its time, which is what a function pays for.
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // of a level that does not exist
	}
	return w
}}

// checkLength refuses a body that could not be sent. One that is compressed is
// far shorter than what a function may return.
func checkLength(body []byte, compressed bool) error {
	if len(body) > maxBody {
		return &tooLargeError{len(body), maxBody}
	}
	if compressed {
		return nil
	}
	escaped := bytes.Count(body, []byte(`"`)) + bytes.Count(body, []byte(`\`))
	if n := len(body) + escaped; n > maxPayload {
		return &tooLargeError{n, maxPayload}
	}
	return nil
}

func compress(body []byte) []byte {
	w, _ := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	var b bytes.Buffer
	b.Grow(len(body) / 4)
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// acceptsGzip reports whether the value of Accept-Encoding allows gzip and does
// not prefer the body as it is (RFC 9110, 12.5.3). A part that cannot be read
// allows nothing.
func acceptsGzip(value string) bool {
	const unnamed = -1
	zip, identity, others := float64(unnamed), float64(unnamed), float64(unnamed)
	for part := range strings.SplitSeq(value, ",") {
		name, q := coding(part)
		switch name {
		case encodingGzip, "x-gzip":
			zip = max(zip, q)
		case "identity":
			identity = q
		case "*":
			others = q
		}
	}
	if zip == unnamed {
		zip = others
	}
	return zip > 0 && zip >= identity
}

// coding is a part of Accept-Encoding: a name in lower case and its weight, 1
// where it has none, 0 where that is not of the form of a weight.
func coding(part string) (name string, q float64) {
	name, parameters, weighted := strings.Cut(part, ";")
	name = strings.ToLower(strings.Trim(name, " \t"))
	if !weighted {
		return name, 1
	}
	key, number, _ := strings.Cut(strings.Trim(parameters, " \t"), "=")
	q, err := strconv.ParseFloat(number, 64)
	if !strings.EqualFold(key, "q") || err != nil || !(q >= 0 && q <= 1) {
		return name, 0
	}
	return name, q
}
