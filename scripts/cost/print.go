package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// print writes the bill as text.
func (b bill) print(out io.Writer) error {
	var text strings.Builder
	m := b.Measured
	fmt.Fprintf(&text, "Measured: %d requests of the mix at %.0f a minute, one worker a function\n\n", m.Requests, m.PerMinute)
	table(&text, func(row func(...string)) {
		row("request", "sent", "read units", "write units", "log bytes", "answer bytes")
		for _, target := range slices.Sorted(maps.Keys(m.ByTarget)) {
			of := m.ByTarget[target]
			row(target, strconv.Itoa(of.Requests), fixed2(of.Reads), fixed2(of.Writes), whole(of.LogBytes), whole(of.AnswerBytes))
		}
		row("average", strconv.Itoa(m.Requests), fixed2(m.Average.Reads), fixed2(m.Average.Writes), whole(m.Average.LogBytes), whole(m.Average.AnswerBytes))
		row("first of each kind", strconv.Itoa(len(m.ByTarget)), fixed2(m.Cold.Reads), fixed2(m.Cold.Writes), whole(m.Cold.LogBytes), whole(m.Cold.AnswerBytes))
	})
	fmt.Fprintf(&text, "\n%s requests, list prices in USD (%s; * assumed, not measured)\n\n", whole(b.Requests), b.Prices)
	lines(&text, b.PerRequests)
	fmt.Fprintf(&text, "\nEach month beside that (%s of data)\n\n", size(m.TableBytes))
	lines(&text, b.Fixed)
	fmt.Fprintf(&text, "\nLoading all data once: %s write units.\n*: %.0f ms a request at %d MB, %s; %.0f bytes of log by the gateway.\n",
		whole(m.LoadedWrite), b.Assumed.DurationMS, b.Assumed.MemoryMB, b.Assumed.MemoryOf, b.Assumed.PlatformLogBytes)
	text.WriteString("\nNot counted:\n")
	for _, what := range b.NotCounted {
		text.WriteString("- " + what + "\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func lines(to *strings.Builder, all []line) {
	table(to, func(row func(...string)) {
		for _, l := range all {
			mark := "*"
			if l.Measured {
				mark = ""
			}
			row(l.Name+mark, quantity(l.Quantity)+" "+l.Unit, "x "+strconv.FormatFloat(float64(float32(l.USD)), 'f', -1, 32), "= "+fixed2(l.Amount))
		}
		row("", "", "", "= "+fixed2(sum(all)))
	})
}

// table writes rows in columns.
func table(to *strings.Builder, fill func(row func(...string))) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fill(func(cells ...string) {
		_, _ = fmt.Fprintln(w, strings.Join(cells, "\t"))
	})
	_ = w.Flush() // into memory
}

func fixed2(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// whole is a number without decimals, in groups of three digits.
func whole(v float64) string {
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func quantity(v float64) string {
	if v >= 100 {
		return whole(v)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func size(bytes float64) string { return fmt.Sprintf("%.1f MB", bytes/(1<<20)) }
