package slips_test

import (
	"strings"
	"testing"

	"touchline/shared/dataset/slips"
)

func TestSlips(t *testing.T) {
	for text, want := range map[string]string{
		"#REF!": "error of a spreadsheet", "#N/A": "error of a spreadsheet", "#BEZUG!": "error of a spreadsheet", "####": "error of a spreadsheet",
		"=A2": "is a formula", "=VLOOKUP(A2;B:C;2)": "is a formula", "=$A$2": "is a formula",
		"#VALEUR!": "error of a spreadsheet", "#¿NOMBRE?": "error of a spreadsheet", "#¡REF!": "error of a spreadsheet", "#RIF!": "error of a spreadsheet", "#NV": "error of a spreadsheet", "#N/D": "error of a spreadsheet", "Err:502": "error of a spreadsheet",
		"#1 Fans": "", "#1": "", "#": "", "#GO": "", "Err:x": "", "= 2": "", "VfL": "",
	} {
		if got := slips.Wrong(text); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("Wrong(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"1E+03": "shorten", "1,23E+12": "shorten", "1.5e+05": "shorten", "#REF!": "error", "1.23E15": "shorten", "E+1": "", "u1E+03": "", "1E3": ""} {
		if got := slips.WrongKey(text); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("WrongKey(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"MÃ¶lsungen": `"Mölsungen"`, "FC ZÃ¼rich": `"FC Zürich"`, "Å\u00a0ibenik": "no-break space", "CÃ´te": `"Côte"`, "Itâ€™s": `"It’s"`,
		"A\u00a0B": "no-break space", "A ": "ends with", "\u00a0A": "begins with", "A  B": "two spaces", "A\ufeffB": "feff", "M\ufffdller": "lost",
		"n/a": "leave the cell empty", "-": "leave the cell empty", "TBD": "leave the cell empty", "M?ller": "was a letter lost",
		"N.N.":             "leave the cell empty",
		"Möls\u200csungen": "200c", "Kielby\u200e": "200e", "می\u200cخواهم": "", "ЦСКА-2 Moskva": "", "SC \"Blue\" Kielby": "", `"Blue" and "White"`: "", "5\"": "",
		"Brighton & Hove": "", "A&B": "", "Who?": "", "https://example.org/a?b=c&d=e": "", "None Such": "", "Na": "",
		"Mölsungen": "", "FC Zürich": "", "São Paulo": "", "İstanbul": "", "Ångström": "", "'s-Hertogenbosch": "", "Łódź": "", "Côte d’Ivoire": "", "Spor’t": "",
	} {
		if got := slips.Odd(text); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("Odd(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"02. Jan": "date", "Jan-02": "date", "2-Mai": "date", "2026-01-02 00:00:00": "date", "2026-02-01": "date", "2026-13-01": "", "1.000": "format the column", "12,345": "format the column", "1001.0": "format the column", "1234567890123450000": "15 digits", "12345678901234567890": "", "1.2": "", "0.123": "", "2026.100": "", "n/a": "leave the cell empty", "m-2": "", "1-2": "", "jan": "", "'s": ""} {
		if got := slips.OddKey(text); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("OddKey(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestAdvice(t *testing.T) {
	for text, want := range map[string]string{
		"2:1": "a column each", "2-1": "a column each", "2–1": "a column each", "3:2 (1:0)": "a column each", "24 : 20": "a column each",
		"7,0": "without point", "1.234": "without point", "02. Jan": "a date", "2026-01-02": "a date", "#WERT!": "error", "abc": "", "-": "the cell empty", "2-": "digits alone", "02:01:00": "a time", "1899-12-31 02:01": "a time", "=1+1": "a formula", "02.01.2026": "a date", "0.0840277777777778": "a time", "0,5": "without point", "4½": "digits alone", "w.o.": "", "3:0 awd": "a column each", "24%": "digits alone", "−2": "digits alone", "-:-": "the cell empty", "ppd": "",
		"07": "drop the zero", "0": "", "4:3 n.V.": "score.home 4, score.away 3, extraTime true", "4 - 3 (OT)": "score.home 4, score.away 3, extraTime true", "4 a.e.t.": "write 4 here, and extraTime true",
		"3:2 SO": "penalties.home 4", "3:2 n.P.": "penalties.home 4", "3:2/GWS": "penalties.home 4", "1:1 (4:3 n.E.)": "penalties.home 4", "2-1 (SO)": "penalties.home 4", "4:3 n.V. (3:3, 1:1)": "score.home 4, score.away 3, extraTime true", "4:3 (3:3) n. V.": "score.home 4, score.away 3, extraTime true",
		"4:3 nach Verlängerung": "score.home 4, score.away 3, extraTime true", "3 SN": "penalties.home 4", "3:2 (1:0; 1:1)": "a column each", "3:2 x": "a column each",
	} {
		if got := slips.Advice(text, false); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("Advice(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTruthAndPlus(t *testing.T) {
	for text, want := range map[string]string{"x": ": write true", "Ja": ": write true", "n.V.": ": write true", "SO": ": write true", "nein": ": write false", "-": ": write false", "perhaps": "", "": "", "true": ""} {
		if got := slips.Truth(text); got != want {
			t.Errorf("Truth(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"+2": ": write 2 for points that are added, and -2 for a deduction", "+": "", "2": "", "+2x": ""} {
		if got := slips.Plus(text); got != want {
			t.Errorf("Plus(%q) = %q, want %q", text, got, want)
		}
	}
}
