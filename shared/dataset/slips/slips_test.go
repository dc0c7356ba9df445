package slips_test

import (
	"strings"
	"testing"

	"touchline/shared/dataset/slips"
)

func TestSlips(t *testing.T) {
	for name, c := range map[string]struct {
		of   func(string) string
		want map[string]string // a part of what is said; empty: nothing
	}{
		"Wrong": {slips.Wrong, map[string]string{
			"#REF!": "error of a spreadsheet", "#N/A": "error of a spreadsheet", "####": "error of a spreadsheet", "#NV": "error of a spreadsheet", "#N/D": "error of a spreadsheet",
			"#VALEUR!": "error of a spreadsheet", "#¿NOMBRE?": "error of a spreadsheet", "#¡REF!": "error of a spreadsheet", "Err:502": "error of a spreadsheet",
			"=A2": "is a formula", "=VLOOKUP(A2;B:C;2)": "is a formula", "=$A$2": "is a formula", "=(1)": "is a formula",
			"#1 Fans": "", "#1 FANS!": "", "#1!": "", "#Go!": "", "#1": "", "#": "", "##": "", "#GO": "", "Err:x": "", "Err:5": "", "= 2": "", "=": "", "VfL": "", "": "",
		}},
		"WrongKey": {slips.WrongKey, map[string]string{
			"1E+03": "shorten", "1,23E+12": "shorten", "1.5e+05": "shorten", "#REF!": "error", "1.23E15": "shorten",
			"E+1": "", "u1E+03": "", "1E3": "", "1.E+3": "", "1E+": "", "12": "",
		}},
		"Odd": {slips.Odd, map[string]string{
			"MÃ¶lsungen": `"Mölsungen"`, "FC ZÃ¼rich": `"FC Zürich"`, "CÃ´te": `"Côte"`, "Itâ€™s": `"It’s"`,
			"A\u00a0B": "no-break space", "A\u202fB": "no-break space", "A ": "ends with", "\u00a0A": "begins with", "A  B": "two spaces", "A\ufeffB": `U+FEFF after "A"`, "M\ufffdller": "lost",
			"Möls\u200csungen": `U+200C after "Möls"`, "Kielby\u200e": `U+200E after "Kielby"`, "\u00adMölsungen": "U+00AD at its beginning", "می\u200cخواهم": "", "ЦСКА-2 Moskva": "",
			"Brighton & Hove": "", "Who?": "", "None Such": "", "": "",
			"Mölsungen": "", "FC Zürich": "", "São Paulo": "", "İstanbul": "", "Ångström": "", "'s-Hertogenbosch": "", "Łódź": "", "Côte d’Ivoire": "",
		}},
		"Advice": {func(text string) string { return slips.Advice(text, false) }, map[string]string{
			"1900-01-03": "a number in a cell with the format of a date", "2026-01-03": "makes of 3-1", "2026-01-03 00:00": "makes of 3-1", "03.01.2026": "makes of 3-1", "3.1.26": "makes of 3-1", "03. Jan": "makes of 3-1", "3-Jan": "makes of 3-1", "Mrz 01": "makes of 3-1", "1. März": "makes of 3-1", "févr-02": "makes of 3-1", "4 sett": "makes of 3-1",
			"2026-1": "", "3 x": "", "Jan": "", "3.1": "", "Nov. x": "",
			"07": "drop the zero", "0": "", "7": "", "+2": "", "abc": "", "2:1": "", "3:2 x": "", "w.o.": "", "2 (1:0)": "",
			"4:3 n.V.": "the goals stand alone", "4 - 3 (OT)": "the goals stand alone", "4 a.e.t.": "the goals stand alone",
			"3:2 SO": "before the shoot-out", "3:2 n.P.": "before the shoot-out", "3:2/GWS": "before the shoot-out", "1:1 (4:3 n.E.)": "before the shoot-out", "3 SN": "before the shoot-out",
			"4:3 n.V. (3:3, 1:1)": "the goals stand alone", "4:3 (3:3) n. V.": "the goals stand alone", "4:3 nach Verlängerung": "the goals stand alone",
		}},
		"Advice on a signed number": {func(text string) string { return slips.Advice(text, true) }, map[string]string{
			"+2": "write 2 for points that are added, and -2 for a deduction", "+": "", "2": "", "+2x": "",
		}},
	} {
		for text, want := range c.want {
			if got := c.of(text); (want == "") != (got == "") || !strings.Contains(got, want) {
				t.Errorf("%s of %q is %q, want %q", name, text, got, want)
			}
		}
	}
}
